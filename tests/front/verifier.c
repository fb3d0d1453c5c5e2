// Functions of the verification tools, without declarations; programs written for GenMC.
// run: violation
// ir: builtin assume
#include <genmc.h>
#include <assert.h>

int main (void) {
  __VERIFIER_spin_start ();
  _Bool b = __VERIFIER_nondet_bool ();
  __VERIFIER_assume (b);
  __VERIFIER_spin_end (1);
  __VERIFIER_atomic_begin ();
  __VERIFIER_atomic_end ();
  assert (b);
  __VERIFIER_assert (!b);
  return 0;
}
