// A thread that goes on only for some of the values that it reads.
//
// flags: --engine=auto
// verdict[-DN={2..4}]: sc,tso,rc11,rc20,ra,imm pass
// finding[-DN={2,3} -DBUG=1]: sc,tso,rc11,rc20,ra,imm assert
#include "loops.h"
void __VERIFIER_assume (int);

static atomic_int x, y;

static void *body (void *unused) {
  atomic_fetch_add_explicit (&x, 1, ACQ_REL);
  __VERIFIER_assume (atomic_load_explicit (&x, ACQUIRE) == N);
  atomic_fetch_add_explicit (&y, 1, ACQ_REL);
  assert (!BUG || atomic_load_explicit (&y, ACQUIRE) < N);
  return 0;
}

int main (void) {
  run (N, body);
  assert (y == N);
  return 0;
}
