#define BUG
#include "counter.c"
