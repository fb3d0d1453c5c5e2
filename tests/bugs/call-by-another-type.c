// Library functions that are called by another type than their own are refused by name.
// unsupported: rc11 the call of `printf`: by another type than its own
// unsupported[-DRESULT]: rc11 the call of `malloc`: by another type than its own
// unsupported[-DNOTHING]: rc11 the call of `fflush`: by another type than its own
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
