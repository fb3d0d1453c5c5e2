// Without a range a choice is one of ten values, which is said. A range or a set that was asked for is what was asked for.
// expect: rc11 10
// assumed: rc11 nondet-range
// assumed: mca nondet-range
// assumed[--nondet=0..20]: rc11 nothing
// assumed[--nondet=-1,5]: rc11 nothing
// expect[--nondet=-1,5]: rc11 2
// assumed[--nondet=3]: mca nothing
// finding[--nondet=0..50 -DBUG]: rc11 assert BUG
// assumed[-DBUG]: rc11 nondet-range
// assumed[-DRANDOM]: rc11 nondet-range
// assumed[-DRANDOM --nondet=0..2]: rc11 nothing
// assumed[-DCHOICE]: rc11 nothing
#include <assert.h>
#include <stdlib.h>

int __VERIFIER_nondet_int (void);
_Bool __VERIFIER_nondet_bool (void);

int main (void) {
#if defined CHOICE
  int n = __VERIFIER_nondet_bool ();
#elif defined RANDOM
  int n = rand ();
#else
  int n = __VERIFIER_nondet_int ();
#endif
#ifdef BUG
  assert (n != 42); // @BUG
#endif
  return n & 0;
}
