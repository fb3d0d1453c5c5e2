// A delay that grows without a limit.
//
// flags: --engine=auto
// verdict[-DN={2,3}]: sc,tso,rc11,rc20,ra,imm pass
// finding[-DN={2,3} -DBUG=1]: sc,tso,rc11,rc20,ra,imm liveness
// slow[-DN={2,3}]: sc,tso,rc11,rc20,ra,imm
// slow[-DN={2,3} -DBUG=1]: sc,tso,rc11,rc20,ra,imm
#include "loops.h"

static atomic_int word;
static int data;

static void *body (void *unused) {
  unsigned delay = 1;
  while (atomic_exchange_explicit (&word, 1, ACQUIRE)) {
    for (volatile unsigned i = 0; i < delay; i++) {}
    delay += 1;
  }
  data++;
  atomic_store_explicit (&word, BUG, RELEASE);
  return 0;
}

int main (void) {
  run (N, body);
  assert (data == N);
  return 0;
}
