// Takes one from a counter unless it is used up.
//
// flags: --engine=auto
// verdict[-DN={2,3}]: sc,tso,rc11,rc20,ra,imm pass
// finding[-DN={2,3} -DBUG=1]: sc,tso,rc11,rc20,ra,imm assert
#include "loops.h"

static atomic_int left = N - 1;
static atomic_int taken;

static bool take (void) {
  int v = atomic_load_explicit (&left, RELAXED);
  do {
    if (v == 0) return false;
    if (BUG && v == 1) break;
  } while (!atomic_compare_exchange_weak_explicit (&left, &v, v - 1, ACQ_REL, RELAXED));
  return true;
}

static void *body (void *unused) {
  if (take ()) atomic_fetch_add_explicit (&taken, 1, RELAXED);
  return 0;
}

int main (void) {
  run (N, body);
  assert (taken == N - 1);
  return 0;
}
