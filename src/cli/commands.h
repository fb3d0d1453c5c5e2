/* commands.h - what the first word of the command line runs. Each returns the exit code. */
#ifndef PORF_COMMANDS_H
#define PORF_COMMANDS_H

#include "cli/args.h"
#include "models/hardware/mapping.h"

#define COMMAND(name, arguments, help) int command_##name (const Args *a);
#include "cli/commands.def"
#undef COMMAND

int command_run (const Args *a);

/* A mapping by its name, or from a file; false after a message that shows what is wrong with it. */
bool mapping_load (const char *name, Mapping *m);

/* A model file is wrong: a message that shows the place is shown as it is. */
NORETURN void die_model (Str *error);

#endif
