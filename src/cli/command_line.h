/* command_line.h - words that become Args. */
#ifndef PORF_COMMAND_LINE_H
#define PORF_COMMAND_LINE_H

#include "session/args.h"

/* Reads the command line. False with a message in *error if it is wrong; args_free either way. */
bool args_parse (Args *a, int argc, char **argv, Str *error);
/* The same for more words of a command line that was read. */
bool args_parse_more (Args *a, int argc, char **argv, Str *error);
/* The same for the header of a test, which may come from strangers: of the options only
 * those that are safe, of the flags for the compiler only those of flags.def. The new flags are not
 * freed by args_free. */
bool args_parse_header (Args *a, int argc, char **argv, Str *error);

#endif
