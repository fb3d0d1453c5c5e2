// Both values of a nondeterministic choice are explored.
// expect: sc 2, rc11 2
#include <assert.h>
#include <stdbool.h>

_Bool __VERIFIER_nondet_bool (void);

int main (void) {
  bool b = __VERIFIER_nondet_bool ();
  assert (b == 0 || b == 1);
  return 0;
}
