/* load.h - a Program from a file, whatever kind of file it is. */
#ifndef PORF_CLI_LOAD_H
#define PORF_CLI_LOAD_H

#include "ir/ir.h"

typedef struct LoadOptions {
  char **cflags; /* for clang */
  int ncflags;
  bool no_cache;
} LoadOptions;

/* Reads FILE.ir, or compiles anything else with porf-cc, or takes the result of an earlier
 * compilation from the cache; then links the C library. The caller calls ir_prepare. If something
 * is wrong: one message and exit 2. */
Program *load_program (const char *path, const LoadOptions *o);

#endif
