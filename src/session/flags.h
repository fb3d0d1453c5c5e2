/* flags.h - which flags for the compiler may come from a file that someone else has written:
 * compile_commands.json, or the header of a test. flags.def says which. */
#ifndef PORF_SESSION_FLAGS_H
#define PORF_SESSION_FLAGS_H

#include "session/words.h"

/* Takes the flag at words->data[*at], moves *at past it and its argument, and adds it to *out if it
 * decides what the source means. Relative paths begin at `directory`, unless that is NULL. Neither
 * the flag nor its value is one that clang could take for another flag or a file of flags. False:
 * the flag is not among those that are allowed. */
bool flag_take (const Words *words, u32 *at, const char *directory, Words *out);

/* The caller frees it. */
char *path_absolute (const char *directory, const char *path);

#endif
