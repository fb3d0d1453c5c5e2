// Two threads that each put right what the other did. BUG: if the left one was first, they do so forever.
//
// flags: --engine=auto
// verdict: sc,tso,rc11,rc20,ra,imm pass
// finding[-DBUG=1]: sc,tso,rc11,rc20,ra,imm liveness
// slow[-DBUG=1]: imm
#include "loops.h"

#define DONE 9

static atomic_int x;

static void *left (void *unused) {
  for (int v; (v = atomic_load_explicit (&x, ACQUIRE)) != DONE;)
    if (v != 1) atomic_compare_exchange_strong_explicit (&x, &v, 1, ACQ_REL, ACQUIRE);
  return 0;
}

static void *right (void *unused) {
  for (int v; (v = atomic_load_explicit (&x, ACQUIRE)) != DONE;)
    if (v != 2) atomic_compare_exchange_strong_explicit (&x, &v, v == 0 || !BUG ? DONE : 2, ACQ_REL, ACQUIRE);
  return 0;
}

int main (void) {
  run_beside (1, left, right);
  return 0;
}
