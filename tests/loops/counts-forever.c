// Waits for a value that never comes, and counts meanwhile.
//
// flags: --engine=auto
// finding[-DN={2,3}]: sc,tso,rc11,rc20,ra,imm liveness
#include "loops.h"
static atomic_int x;

static void *waiter (void *unused) {
  for (unsigned long tries = 0; atomic_load_explicit (&x, ACQUIRE) != 2; tries++) {}
  return 0;
}

static void *setter (void *unused) {
  atomic_store_explicit (&x, 1, RELEASE);
  return 0;
}

int main (void) {
  run_beside (N - 1, waiter, setter);
  return 0;
}
