// Library functions that are called through a different function type are refused by name.
// unsupported: rc11 the call of `printf` through a different function type
// unsupported[-DRESULT]: rc11 the call of `malloc` through a different function type
// unsupported[-DNOTHING]: rc11 the call of `fflush` through a different function type
#include <stdio.h>
#include <stdlib.h>

struct Pair {
  int a;
  long b;
};

int main (void) {
#ifdef RESULT
  return (int)((struct Pair (*) (int))malloc) (5).b;
#elif defined NOTHING
  return (int)((struct Pair (*) (void *))fflush) (NULL).b;
#else
  ((void (*) (void))printf) ();
  return 0;
#endif
}
