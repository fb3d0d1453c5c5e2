// Looks at one flag and the other in turn.
//
// flags: --engine=auto
// verdict[-DN={2,3}]: sc,tso,rc11,rc20,ra,imm pass
// finding[-DN={2,3} -DBUG=1]: sc,tso,rc11,rc20,ra,imm liveness
#include "loops.h"

static atomic_int flags[2];
static int data[2];

static void *waiter (void *unused) {
  int side = 0;
  while (!atomic_load_explicit (&flags[side], ACQUIRE)) side = !side;
  assert (data[side] == 1);
  return 0;
}

static void *setter (void *unused) {
  data[1] = 1;
  if (!BUG) atomic_store_explicit (&flags[1], 1, RELEASE);
  return 0;
}

int main (void) {
  run_beside (N - 1, waiter, setter);
  return 0;
}
