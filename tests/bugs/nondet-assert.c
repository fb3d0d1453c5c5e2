// An assertion that fails for one of four choices.
// finding: rc11 assert A
#include <assert.h>

_Bool __VERIFIER_nondet_bool (void);

int main (void) {
  int n = __VERIFIER_nondet_bool () + 2 * __VERIFIER_nondet_bool ();
  assert (n != 3); // @A
  return 0;
}
