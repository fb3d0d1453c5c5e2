/* args.h - the command line as data. options.def and commands.def say what there is. */
#ifndef PORF_ARGS_H
#define PORF_ARGS_H

#include "explore/explore.h"
#include "cli/words.h"
#include "report/report.h"

typedef struct Values { /* LO..HI, or a set */
  bool given;
  i64 low, high;
  i64 set[64];
  u32 set_size;
} Values;

typedef struct Save { /* a file to write */
  const char *path;
  const ReportFormat *format;
} Save;
typedef VEC (Save) Saves;

typedef enum Reduction {
#define REDUCTION(name, engine) REDUCTION_##name,
#include "cli/reductions.def"
#undef REDUCTION
  REDUCTION_COUNT
} Reduction;

/* Bits of Reduction. `none` also turns off what has no name: the treatment of spin loops, and private memory. */
typedef struct Reduce {
  u32 off, named;
  bool none;
} Reduce;

typedef struct GivenWords { /* may be none */
  bool is_given;
  Words list;
} GivenWords;

typedef struct Bound { /* preemptions=K, context=K */
  BoundKind kind;
  u32 most;
} Bound;

typedef enum When { WHEN_AUTO, WHEN_ALWAYS, WHEN_NEVER } When;

enum { DUMP_IR = 1, DUMP_EFFECTS = 2, DUMP_GRAPH = 4, DUMP_TREE = 8 };

typedef enum CommandId {
#define COMMAND(name, arguments, help) COMMAND_##name,
#include "cli/commands.def"
#undef COMMAND
  COMMAND_COUNT
} CommandId;

typedef enum OptionId {
#define GROUP(title)
#define OPTION(type, field, initial, name, letter, parse, argument, help) OPTION_##field,
#include "cli/options.def"
#undef OPTION
#undef GROUP
  OPTION_COUNT
} OptionId;

typedef struct Args {
  CommandId command;
  CommandId topic;          /* what help is about; COMMAND_help: everything */
  u32 renamed;              /* bits: former spellings that were used */
  bool given[OPTION_COUNT]; /* on the command line, or in the header of a test */
#define GROUP(title)
#define OPTION(type, field, initial, name, letter, parse, argument, help) type field;
#include "cli/options.def"
#undef OPTION
#undef GROUP
  VEC (const char *) files;
  VEC (char *) cflags;
  bool is_library;               /* nobody watches: no signals are caught */
  Cluster *cluster;              /* that this process is part of, or NULL: src/dist */
  const struct Model *own_model; /* instead of `model`, or NULL; whoever runs the check frees it */
} Args;

Args args_default (void);

/* Reads the command line. False with a message in *error if it is wrong; args_free either way. */
bool args_parse (Args *a, int argc, char **argv, Str *error);
/* The same for more words of a command line that was read. */
bool args_parse_more (Args *a, int argc, char **argv, Str *error);
/* The same for the header of a test, which somebody else may have written: of the options only
 * those that are safe, of the flags for the compiler only those of flags.def. The new flags are not
 * freed by args_free. */
bool args_parse_header (Args *a, int argc, char **argv, Str *error);
Args args_copy (const Args *a);
void args_free (Args *a);
bool args_reduce (const Args *a, Reduction r);
/* Tells the user what former spellings, bits as in Args.renamed, are called now. */
void args_tell_renamed (u32 renamed);

const char *command_name (u32 id); /* NULL after the last */
const char *command_arguments (u32 id);
const char *command_meaning (u32 id);

typedef struct OptionInfo {
  const char *group, *name;
  char letter;          /* or 0 */
  const char *argument; /* or NULL */
  const char *help;
} OptionInfo;
OptionInfo option_info (u32 i); /* without a name after the last */
const char *reduction_name (u32 i);

/* The name nearest to `word` among name_at (0), name_at (1), … up to NULL, or NULL if none is
 * near. */
const char *suggest (const char *word, const char *(*name_at) (u32 i));

#endif
