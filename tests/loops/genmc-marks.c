// Loops that are marked for GenMC; --unroll does not cut the harness's own loops.
//
// flags: --engine=auto
// verdict[-DN={2,3}]: sc,tso,rc11,rc20,ra,imm pass
// finding[-DN={2,3} -DBUG=1]: sc,tso,rc11,rc20,ra,imm liveness
#include "loops.h"
static atomic_int x;

static void *waiter (void *unused) {
  __VERIFIER_loop_begin ();
  for (;;) {
    __VERIFIER_spin_start ();
    int done = atomic_load_explicit (&x, ACQUIRE) == 1;
    __VERIFIER_spin_end (done);
    if (done) break;
  }
  return 0;
}

static void *setter (void *unused) {
  atomic_store_explicit (&x, 1 + BUG, RELEASE);
  return 0;
}

int main (void) {
  run_beside (N - 1, waiter, setter);
  return 0;
}
