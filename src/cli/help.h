/* help.h - porf help, porf COMMAND --help. */
#ifndef PORF_HELP_H
#define PORF_HELP_H

#include "session/args.h"

/* COMMAND_help: all commands and the common options. Else all options of a command. */
void help_write (CommandId topic, Str *out);

#endif
