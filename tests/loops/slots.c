// Threads look for a free slot, one after another, as often as it takes.
//
// flags: --engine=auto
// verdict[-DN={2,3}]: sc,tso,rc11,rc20,ra,imm pass
// finding[-DN={2,3} -DBUG=1]: sc,tso,rc11,rc20,ra,imm liveness
// slow[-DN=3]: imm
// slow[-DN=3 -DBUG=1]: imm
#include "loops.h"
#define SLOTS (N - 1)

static atomic_int slots[SLOTS];
static int data[SLOTS];

static int take (void) {
  for (int i = 0;; i = (i + 1) % SLOTS) {
    int free = 0;
    if (atomic_compare_exchange_strong_explicit (&slots[i], &free, 1, ACQUIRE, RELAXED)) return i;
  }
}

static void *body (void *unused) {
  int mine = take ();
  data[mine]++;
  if (!BUG) atomic_store_explicit (&slots[mine], 0, RELEASE);
  return 0;
}

int main (void) {
  run (N, body);
  return 0;
}
