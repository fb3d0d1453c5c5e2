// Counts its iterations in memory of its own, for statistics.
//
// flags: --engine=auto
// verdict[-DN={2,3}]: sc,tso,rc11,rc20,ra,imm pass
// finding[-DN={2,3} -DBUG=1]: sc,tso,rc11,rc20,ra,imm liveness
// slow[-DN={2,3}]: sc,tso,rc11,rc20,ra,imm
// slow[-DN={2,3} -DBUG=1]: sc,tso,rc11,rc20,ra,imm
#include "loops.h"

static atomic_int ready;
static int data;

static _Thread_local unsigned long spins;
static atomic_ulong all_spins;

static void *waiter (void *unused) {
  while (!atomic_load_explicit (&ready, ACQUIRE)) spins++;
  assert (data == 1);
  atomic_fetch_add_explicit (&all_spins, spins, RELAXED);
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
