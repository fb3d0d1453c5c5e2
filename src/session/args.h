/* args.h - what is asked of porf, as data: by the command line, the header of a test, or a client of
 * the library. options.def and commands.def say what there is. */
#ifndef PORF_SESSION_ARGS_H
#define PORF_SESSION_ARGS_H

#include "explore/explore.h"
#include "session/words.h"
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
#include "session/reductions.def"
#undef REDUCTION
  REDUCTION_COUNT
} Reduction;

/* Bits of Reduction. `none` also turns off what has no name: the treatment of spin loops, and
 * private memory. */
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
#include "session/commands.def"
#undef COMMAND
  COMMAND_COUNT
} CommandId;

typedef enum OptionId {
#define GROUP(title)
#define OPTION(type, field, initial, name, letter, parse, argument, help) OPTION_##field,
#include "session/options.def"
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
#include "session/options.def"
#undef OPTION
#undef GROUP
  VEC (const char *) files;
  VEC (char *) cflags;
  Cluster *cluster;              /* that this process is part of, or NULL: src/dist */
  const struct Model *own_model; /* instead of `model`, or NULL; check_close frees it */
} Args;

Args args_default (void);

/* An option by its name as in --name; a message in *error if it is wrong. */
bool args_set (Args *a, const char *name, const char *value, Str *error);
bool args_files_exist (const Args *a, Str *error); /* or a message */
Args args_copy (const Args *a);
void args_free (Args *a);
bool args_is_helper (const Args *a); /* one rank of several: what is to be said is said by rank 0 */
bool args_wants_document (const Args *a); /* something else than text */
bool args_wants_last (
    const Args *a); /* a picture, which shows the last execution if none is wrong */
bool args_reduce (const Args *a, Reduction r);
/* Tells the user what former spellings, bits as in Args.renamed, are called now. */
void args_tell_renamed (u32 renamed);

const char *command_name (u32 id); /* NULL after the last */
const char *command_arguments (u32 id);
const char *command_meaning (u32 id);

typedef struct Option Option;
const Option *option_find (const char *name, Str *error); /* or NULL, and a message */
const Option *option_by_letter (char letter);             /* or NULL */
const char *option_argument (const Option *o);            /* what it takes, or NULL */
bool option_is_safe (const Option *o);                    /* in the header of a test */
/* `shown`: as it was written; value: or NULL. False with a message if it is wrong. */
bool option_set (Args *a, const Option *o, const char *shown, const char *value, Str *error);

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
const char *option_suggest (const char *word, const char *(*name_at) (u32 i));

/* "; did you mean `…`?", unless `near` is NULL. */
void option_did_you_mean (Str *error, const char *before, const char *near);

#endif
