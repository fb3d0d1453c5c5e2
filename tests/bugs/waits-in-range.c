// A loop that is left by a nondeterministic value outside of 0..9, the range that is assumed, need not last forever. It
// does if no value leads out of it, or if the range was asked for.
// unsupported[-DLEFT={1..6}]: rc11 outside of the assumed range
// unsupported[-DLEFT={1..6}]: mca outside of the assumed range
// unsupported[-DLEFT={2,4}]: wrc11 outside of the assumed range
// unsupported[-DLEFT=2]: jam21 outside of the assumed range
// unsupported[-DLEFT=2]: power outside of the assumed range
// unsupported[-DLEFT=2 --reduce=none]: rc11 outside of the assumed range
// finding[-DLEFT={1..6} --nondet=0..9]: rc11 liveness
// finding[-DLEFT={1..6} --nondet=0..9]: mca liveness
// verdict[-DLEFT={1..6} --nondet=40..44]: rc11 pass
// verdict[-DLEFT={1..6} --nondet=42,43]: mca pass
// finding: rc11 liveness
// finding: mca liveness
#include <porf/verifier.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int x, wanted = 42;

static int is_left (int n) {
  switch (n) {
  case 42:
    return 1;
  default:
    return 0;
  }
}

int main (void) {
#ifndef LEFT
#define LEFT 0
#endif
  for (;;) {
#if LEFT == 1
    if (__VERIFIER_nondet_int () == 42) break;
#elif LEFT == 2
    if (x || rand () == 42) break;
#elif LEFT == 3
    if (__VERIFIER_nondet_char () > 41) break;
#elif LEFT == 4
    int a = rand ();
    if (x) break;
    if (a == atomic_load (&wanted)) break;
#elif LEFT == 5
    if (is_left (__VERIFIER_nondet_int ())) break;
#elif LEFT == 6
    if (rand () == 42 && rand () == 43) break;
    if (rand () == 42) break;
#else
    if (x && rand () == 42) break;
    if (rand () % 2) (void)atomic_load (&x);
#endif
  }
  return 0;
}
