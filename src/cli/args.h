/* args.h - the command line as data. options.def and commands.def say what there is. */
#ifndef PORF_ARGS_H
#define PORF_ARGS_H

#include "report/report.h"

typedef struct Values { /* LO..HI, or a set */
  bool given;
  i64 low, high;
  i64 set[64];
  u32 set_size;
} Values;

typedef VEC (const char *) Texts;

typedef enum When { WHEN_AUTO, WHEN_ALWAYS, WHEN_NEVER } When;

enum { DUMP_IR = 1, DUMP_EFFECTS = 2, DUMP_GRAPH = 4 };

typedef enum CommandId {
#define COMMAND(name, arguments, help) COMMAND_##name,
#include "cli/commands.def"
#undef COMMAND
  COMMAND_COUNT
} CommandId;

typedef struct Args {
  CommandId command;
#define GROUP(title)
#define OPTION(type, field, initial, name, letter, parse, argument, help) type field;
#include "cli/options.def"
#undef OPTION
#undef GROUP
  VEC (const char *) files;
  VEC (char *) cflags;
} Args;

/* Reads the command line. False with a message in *error if it is wrong; args_free either way. */
bool args_parse (Args *a, int argc, char **argv, Str *error);
void args_free (Args *a);
void args_help (Str *out);

const char *command_name (u32 id); /* NULL behind the last */

/* The name nearest to `word` among name_at (0), name_at (1), … up to NULL, or NULL if none is near.
 */
const char *suggest (const char *word, const char *(*name_at) (u32 i));

#endif
