// A loop that waits, whose first iteration stands before it.
//
// flags: --engine=auto
// verdict[-DN={2,3}]: sc,tso,rc11,rc20,ra,imm pass
// verdict[-DN={2,3} -DBUG=1]: sc,rc11,rc20,ra violation
// verdict[-DN={2,3} -DBUG=1]: tso pass
// verdict[-DN={2,3} -DBUG=1]: imm violation
#include "loops.h"

static atomic_int busy = 1;
static int data;

static void *waiter (void *unused) {
  int a = atomic_load_explicit (&busy, BUG ? RELAXED : ACQUIRE);
  while (a) a = atomic_load_explicit (&busy, ACQUIRE);
  assert (data == 1);
  return 0;
}

static void *setter (void *unused) {
  data = 1;
  atomic_store_explicit (&busy, 0, RELEASE);
  return 0;
}

int main (void) {
  run_beside (N - 1, waiter, setter);
  return 0;
}
