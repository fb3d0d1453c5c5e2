// A server that works without end, beside threads that ask it. The bug needs few iterations.
//
// flags: --engine=auto
// verdict[-DN={2,3}]: sc,tso,rc11,rc20,ra,imm incomplete
// finding[-DN={2,3} -DBUG=1]: sc,tso,rc11,rc20,ra,imm assert
// slow[-DN={2,3}]: imm
#include "loops.h"

static atomic_int asked, answered, ticks;

static void *server (void *unused) {
  for (;;) {
    if (atomic_load_explicit (&asked, ACQUIRE) > atomic_load_explicit (&answered, RELAXED))
      atomic_fetch_add_explicit (&answered, BUG ? N : 1, RELEASE);
    atomic_fetch_add_explicit (&ticks, 1, RELAXED);
  }
  return 0;
}

static void *client (void *unused) {
  atomic_fetch_add_explicit (&asked, 1, ACQ_REL);
  assert (atomic_load_explicit (&answered, ACQUIRE) <= N - 1);
  return 0;
}

int main (void) {
  run_beside (N - 1, client, server);
  return 0;
}
