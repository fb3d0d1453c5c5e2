// A barrier of one's own: the last to arrive turns the sense around.
//
// flags: --engine=auto
// verdict[-DN={2,3} -DROUNDS={1,2}]: sc,tso,rc11,rc20,ra,imm pass
// finding[-DN={2,3} -DBUG=1]: sc,tso,rc11,rc20,ra,imm liveness
#include "loops.h"
#ifndef ROUNDS
#define ROUNDS 2
#endif

static atomic_int here, sense;
static int data[ROUNDS];

static void arrive (int round) {
  if (atomic_fetch_add_explicit (&here, 1, ACQ_REL) == N - 1) {
    data[round]++;
    if (!BUG) atomic_store_explicit (&here, 0, RELAXED);
    atomic_store_explicit (&sense, round + 1, RELEASE);
  } else
    while (atomic_load_explicit (&sense, ACQUIRE) <= round) {}
  assert (data[round] == 1);
}

static void *body (void *unused) {
  for (int i = 0; i < ROUNDS; i++) arrive (i);
  return 0;
}

int main (void) {
  run (N, body);
  return 0;
}
