// Counts its iterations, and tells nobody but itself.
//
// flags: --engine=auto
// verdict[-DN={2,3}]: sc,tso,rc11,rc20,ra,imm pass
// finding[-DN={2,3} -DBUG=1]: sc,tso,rc11,rc20,ra,imm liveness
#include "loops.h"

static atomic_int ready;
static int data;

static void *waiter (void *unused) {
  unsigned long spins = 0, looks = 0;
  do {
    looks += 2;
    spins = looks * 3;
  } while (!atomic_load_explicit (&ready, ACQUIRE));
  (void)spins;
  assert (data == 1);
  return 0;
}

static void *setter (void *unused) {
  data = 1;
  atomic_store_explicit (&ready, !BUG, RELEASE);
  return 0;
}

int main (void) {
  run_beside (N - 1, waiter, setter);
  return 0;
}
