// Exponential backoff: the delay doubles with every failure, up to a limit.
//
// flags: --engine=auto
// verdict[-DN={2,3} -DDELAY={int,volatile_int}]: sc,tso,rc11,rc20,ra,imm pass
// verdict[-DN={2,3} -DDELAY={int,volatile_int} -DBUG=1]: sc,rc11,rc20,ra violation
// verdict[-DN={2,3} -DDELAY={int,volatile_int} -DBUG=1]: tso pass
// verdict[-DN={2,3} -DDELAY={int,volatile_int} -DBUG=1]: imm violation
// slow[-DN=2 -DDELAY=volatile_int]: imm
// slow[-DN=3 -DDELAY={int,volatile_int}]: imm
#include "loops.h"
#ifndef DELAY
#define DELAY int
#endif

typedef volatile int volatile_int;
static atomic_int word;
static int data;

static void pause (int n) {
  for (DELAY i = 0; i < n; i++) __asm__ volatile("" ::: "memory");
}

static void lock (void) {
  int delay = 1;
  while (atomic_exchange_explicit (&word, 1, BUG ? RELAXED : ACQUIRE)) {
    pause (delay);
    if (delay < 16) delay *= 2;
  }
}

static void *body (void *unused) {
  lock ();
  data++;
  atomic_store_explicit (&word, 0, BUG ? RELAXED : RELEASE);
  return 0;
}

int main (void) {
  run (N, body);
  assert (data == N);
  return 0;
}
