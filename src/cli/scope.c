#include "cli/scope.h"

typedef enum Engine {
  ENGINE_EXPLORE = 1,
  ENGINE_FUTURES = 2,
  ENGINE_MACHINE = 4,
  ENGINE_SEARCH = ENGINE_EXPLORE | ENGINE_FUTURES
} Engine;

static const char *name_of (OptionId id) { return option_info (id).name; }

bool wants_futures (const Args *a) { return !strcmp (a->engine, "futures"); }

bool wants_machine (const Args *a) {
  return !strcmp (a->engine, "machine") || a->mca || a->non_mca || a->share || a->partition ||
         a->window;
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
#include "cli/scope.def"
#undef ENGINE
#undef COMMAND
#undef NEEDS
#undef CLASHES
  };
  bool is_chosen = a->given[OPTION_engine] && strcmp (a->engine, "auto");
  const char *name = is_chosen ? a->engine : wants_machine (a) ? "machine" : "explore";
  Engine engine = !strcmp (name, "machine")   ? ENGINE_MACHINE
                  : !strcmp (name, "futures") ? ENGINE_FUTURES
                                              : ENGINE_EXPLORE;
  bool compares = a->command == COMMAND_compare || a->command == COMMAND_optimize;
  if ((engine == ENGINE_MACHINE && compares) ||
      (engine == ENGINE_FUTURES && (compares || a->command == COMMAND_outcomes)))
    die_input ("the engine `%s` has no `%s`", name, command_name (a->command));
  for (u32 i = 0; i < ARRAY_SIZE (rows); i++) {
    if (!a->given[rows[i].option] || (rows[i].engine & engine)) continue;
    if (engine == ENGINE_EXPLORE && !is_chosen)
      die_input ("option `--%s` is for the engine `machine`: add `--mca`, `--non-mca` or `--share`",
                 name_of (rows[i].option));
    die_input ("the engine `%s` has no `--%s`%s", name, name_of (rows[i].option),
               rows[i].option == OPTION_model
                   ? ": it is chosen by `--mca`, `--non-mca`, `--share` or `--partition`"
                   : "");
  }
}

static void refuse_by_command (const Args *a) {
  static const struct {
    OptionId option;
    u32 commands;
    const char *text;
  } rows[] = {
#define FOR(command) (1u << COMMAND_##command)
#define ENGINE(...)
#define COMMAND(field, commands, text) {OPTION_##field, commands, text},
#define NEEDS(...)
#define CLASHES(...)
#include "cli/scope.def"
#undef FOR
#undef ENGINE
#undef COMMAND
#undef NEEDS
#undef CLASHES
  };
  for (u32 i = 0; i < ARRAY_SIZE (rows); i++)
    if (a->given[rows[i].option] && !(rows[i].commands >> a->command & 1))
      die_input ("option `--%s` has no effect on `porf %s`; it is for %s", name_of (rows[i].option),
                 command_name (a->command), rows[i].text);
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
#include "cli/scope.def"
#undef ENGINE
#undef COMMAND
#undef NEEDS
#undef CLASHES
  };
  for (u32 i = 0; i < ARRAY_SIZE (rows); i++)
    if (a->given[rows[i].option] && rows[i].is_wrong)
      die_input ("option `--%s` %s `%s`", name_of (rows[i].option), rows[i].verb, rows[i].other);
}

void refuse_without_effect (const Args *a) {
  if (a->command == COMMAND_help || a->command == COMMAND_version) return;
  refuse_by_command (a);
  refuse_by_engine (a);
  refuse_by_others (a);
}
