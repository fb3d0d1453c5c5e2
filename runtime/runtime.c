/* runtime.c - the whole runtime as one file. */
#include "runtime.h"
const char porf_this_is_the_runtime =
    1; /* porf-cc keeps its static names apart from those of programs */
#include "string.c"
#include "stdlib.c"
#include "stdio.c"
#include "format.c"
#include "ctype.c"
#include "math.c"
#include "time.c"
#include "life.c"
#include "pthread.c"
#include "sync.c"
#include "threads.c"
#include "verifier.c"
#include "cxx.c"
#include "exception.c"
