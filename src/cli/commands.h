/* commands.h - what the first word of the command line runs. Each returns the exit code. */
#ifndef PORF_COMMANDS_H
#define PORF_COMMANDS_H

#include "cli/command_line.h"

#define COMMAND(name, arguments, help) int command_##name (const Args *a);
#include "session/commands.def"
#undef COMMAND

int command_run (const Args *a);

#endif
