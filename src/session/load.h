/* load.h - Programs from files, whatever kind of files they are. */
#ifndef PORF_SESSION_LOAD_H
#define PORF_SESSION_LOAD_H

#include "ir/ir.h"
#include "litmus/litmus.h"

typedef struct LoadOptions {
  char **cflags; /* for clang */
  int ncflags;
  bool no_cache;
  bool may_fail;   /* load_file returns NULL if a file cannot be compiled */
  double deadline; /* by seconds_now, then the compiler is stopped and the result is NULL; or 0 */
  Str *said;       /* gets what the compiler has to say, or NULL: that goes to standard error */
} LoadOptions;

bool load_is_up (double deadline); /* never, if it is 0 */

/* Reads FILE.ir, or compiles anything else with porf-cc, or takes the result of an earlier
 * compilation from the cache. If something is wrong: one message and exit 2. */
Program *load_file (const char *path, const LoadOptions *o);

/* The same for a litmus test, whose condition it leaves in *l; NULL after a message if it cannot be
 * read. */
bool load_is_litmus (const char *path);
Program *load_litmus (const char *path, const LoadOptions *o, Litmus *l);

/* Whether the file is text for a compiler: neither IR nor a litmus test. */
bool load_is_source (const char *path);

/* Links the C library to a program of which all files are there; `name` is for messages. The caller
 * calls ir_prepare. */
void load_library (Program *p, const char *name);

#endif
