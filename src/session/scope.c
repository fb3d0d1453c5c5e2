#include "session/scope.h"

typedef enum Engine {
  ENGINE_EXPLORE = 1,
  ENGINE_FUTURES = 2,
  ENGINE_MACHINE = 4,
  ENGINE_SEARCH = ENGINE_EXPLORE | ENGINE_FUTURES,
  ENGINE_ALL = ENGINE_SEARCH | ENGINE_MACHINE
} Engine;

static const char *name_of (OptionId id) { return option_info (id).name; }

bool args_wants_futures (const Args *a) { return !strcmp (a->engine, "futures"); }

bool args_wants_machine (const Args *a) {
  return !strcmp (a->engine, "machine") || a->mca || a->non_mca || a->share || a->partition ||
         a->window;
}

static void refuse_reductions (const Args *a, Engine engine, const char *name) {
  static const Engine engines[] = {
#define REDUCTION(name, engine) ENGINE_##engine,
#include "session/reductions.def"
#undef REDUCTION
  };
  for (u32 i = 0; i < REDUCTION_COUNT; i++)
    if ((a->reduce.named >> i & 1) && !(engines[i] & engine))
      die_input ("option `--reduce`: the engine `%s` has no reduction `%s`", name,
                 reduction_name (i));
}

static void refuse_by_engine (const Args *a) {
  static const struct {
    OptionId option;
    Engine engine;
  } rows[] = {
#define ENGINE(field, engine) {OPTION_##field, ENGINE_##engine},
#define COMMAND(...)
#define NEEDS(...)
#define CLASHES(...)
#include "session/scope.def"
#undef ENGINE
#undef COMMAND
#undef NEEDS
#undef CLASHES
  };
  bool is_chosen = a->given[OPTION_engine] && strcmp (a->engine, "auto");
  const char *name = is_chosen ? a->engine : args_wants_machine (a) ? "machine" : "explore";
  Engine engine = !strcmp (name, "machine")   ? ENGINE_MACHINE
                  : !strcmp (name, "futures") ? ENGINE_FUTURES
                                              : ENGINE_EXPLORE;
  bool optimizes = a->command == COMMAND_optimize;
  if ((engine == ENGINE_MACHINE && (optimizes || a->command == COMMAND_compare)) ||
      (engine == ENGINE_FUTURES && optimizes))
    die_input ("the engine `%s` does not support `%s`", name, command_name (a->command));
  refuse_reductions (a, engine, name);
  for (u32 i = 0; i < ARRAY_SIZE (rows); i++) {
    if (!a->given[rows[i].option] || (rows[i].engine & engine)) continue;
    if (engine == ENGINE_EXPLORE && !is_chosen)
      die_input ("option `--%s` is for the engine `machine`: add `--mca`, `--non-mca` or `--share`",
                 name_of (rows[i].option));
    die_input ("the engine `%s` does not support `--%s`%s", name, name_of (rows[i].option),
               rows[i].option == OPTION_model
                   ? ": it is chosen by `--mca`, `--non-mca`, `--share` or `--partition`"
                   : "");
  }
}

typedef struct CommandRow {
  OptionId option;
  u32 commands;
  const char *text;
} CommandRow;

static const CommandRow *command_row (OptionId option) {
  static const CommandRow rows[] = {
#define FOR(command) (1u << COMMAND_##command)
#define ENGINE(...)
#define COMMAND(field, commands, text) {OPTION_##field, commands, text},
#define NEEDS(...)
#define CLASHES(...)
#include "session/scope.def"
#undef FOR
#undef ENGINE
#undef COMMAND
#undef NEEDS
#undef CLASHES
  };
  for (u32 i = 0; i < ARRAY_SIZE (rows); i++)
    if (rows[i].option == option) return &rows[i];
  return NULL;
}

static bool explores (CommandId command) {
  return command == COMMAND_check || command == COMMAND_test || command == COMMAND_svcomp ||
         command == COMMAND_outcomes || command == COMMAND_compare || command == COMMAND_optimize;
}

bool option_is_for (OptionId option, CommandId command) {
  const CommandRow *row = command_row (option);
  if (row) return row->commands >> command & 1;
  return explores (command) || option == OPTION_help ||
         (command == COMMAND_replay && option == OPTION_color);
}

static void refuse_by_command (const Args *a) {
  for (u32 i = 0; i < OPTION_COUNT; i++) {
    const CommandRow *row = a->given[i] ? command_row ((OptionId)i) : NULL;
    if (row && !(row->commands >> a->command & 1))
      die_input ("option `--%s` has no effect on `porf %s`; it is for %s", name_of ((OptionId)i),
                 command_name (a->command), row->text);
  }
}

static void refuse_by_others (const Args *a) {
  const struct {
    OptionId option;
    bool is_wrong;
    const char *verb, *other;
  } rows[] = {
#define ENGINE(...)
#define COMMAND(...)
#define NEEDS(field, condition, other) {OPTION_##field, !(condition), "needs", other},
#define CLASHES(field, condition, other)                                                           \
  {OPTION_##field, condition, "cannot be combined with", other},
#include "session/scope.def"
#undef ENGINE
#undef COMMAND
#undef NEEDS
#undef CLASHES
  };
  for (u32 i = 0; i < ARRAY_SIZE (rows); i++)
    if (a->given[rows[i].option] && rows[i].is_wrong)
      die_input ("option `--%s` %s `%s`", name_of (rows[i].option), rows[i].verb, rows[i].other);
}

void args_refuse_without_effect (const Args *a) {
  if (a->command == COMMAND_help || a->command == COMMAND_version) return;
  refuse_by_command (a);
  refuse_by_engine (a);
  refuse_by_others (a);
}
