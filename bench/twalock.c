// expect[-DN=2]: rc11 4, rc20 4, xmm 4
// expect[-DN=3]: rc11 96, rc20 96, wkmo2 96, xmm 96, imm 96
//
// twalock(N): a ticket lock whose far waiters look at an array of counters instead of the grant.
// flags: --no-race

#include <assert.h>
#include <stdatomic.h>
#include "threads.h"

#ifndef N
#define N 3
#endif

enum { NEAR = 1, SLOTS = 16 };

static atomic_int ticket, grant, slot[SLOTS];
static int shared;

static int get (atomic_int *p) { return atomic_load_explicit (p, memory_order_acquire); }

static void wait_far (int mine) {
  int seen = get (&slot[mine % SLOTS]);
  int ahead = mine - atomic_load_explicit (&grant, memory_order_relaxed);
  while (ahead > NEAR) {
    int now;
    while ((now = get (&slot[mine % SLOTS])) == seen);
    seen = now;
    ahead = mine - atomic_load_explicit (&grant, memory_order_relaxed);
  }
}

static void lock (void) {
  int mine = atomic_fetch_add_explicit (&ticket, 1, memory_order_relaxed);
  int ahead = mine - get (&grant);
  if (!ahead) return;
  if (ahead > NEAR) wait_far (mine);
  while (get (&grant) != mine);
}

static void unlock (void) {
  int next = atomic_load_explicit (&grant, memory_order_relaxed) + 1;
  atomic_store_explicit (&grant, next, memory_order_release);
  atomic_fetch_add_explicit (&slot[(next + NEAR) % SLOTS], 1, memory_order_release);
}

static void *thread (void *arg) {
  int i = number (arg);
  lock ();
  shared = i;
  assert (shared == i);
  unlock ();
  return NULL;
}

int main (void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) start (&t[i], thread, i);
  join (t, N);
}
