// A program may use the names for things of its own.
// finding: rc11 assert A
// verdict[-DFINE]: rc11 pass
#include <stdatomic.h>
static int assert, nondet_int;
enum { nondet_bool, nondet_long = 3 };
static struct { int depth; } __VERIFIER_nondet_uint = {2};
static int __VERIFIER_assume (int a, int b) { return a + b; }
static void __VERIFIER_assert (c) char c; {
  if (!c) __VERIFIER_error (); // @A
}

int main (void) {
  int sum = __VERIFIER_assume (nondet_bool, nondet_long) + __VERIFIER_nondet_uint.depth + assert + nondet_int;
#ifdef FINE
  __VERIFIER_assert (sum == 5);
#else
  __VERIFIER_assert (sum == 4);
#endif
  return 0;
}
