// A lock that spins a few times between yields.
//
// flags: --engine=auto
// verdict[-DN={2,3}]: sc,tso,rc11,rc20,ra,imm pass
// verdict[-DN={2,3} -DBUG=1]: sc,rc11,rc20,ra violation
// verdict[-DN={2,3} -DBUG=1]: tso,imm violation
// slow[-DN=3]: imm
#include "loops.h"

static atomic_int word;
static int data;

static void lock (void) {
  for (;;) {
    for (int i = 0; i < 10; i++) {
      int free = 0;
      if (atomic_load_explicit (&word, RELAXED) == 0 &&
          atomic_compare_exchange_strong_explicit (&word, &free, 1, ACQUIRE, RELAXED))
        return;
    }
    sched_yield ();
  }
}

static void *body (void *unused) {
  lock ();
  if (BUG) atomic_store_explicit (&word, 0, RELEASE);
  data++;
  if (!BUG) atomic_store_explicit (&word, 0, RELEASE);
  return 0;
}

int main (void) {
  run (N, body);
  assert (data == N);
  return 0;
}
