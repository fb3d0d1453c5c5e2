// expect[-DN=2]: rc11 2, sc 2
// expect[-DN=3]: rc11 6, sc 6
// expect[-DN=6]: rc11 720, wkmo2 720, xmm 720, imm 720
// expect[-DN=7]: rc11 5040
//
// ticketlock(N): N threads take a ticket lock once each and touch a plain variable under it. N!
// executions: the order of the tickets.

#include <assert.h>
#include <stdatomic.h>
#include "threads.h"

#ifndef N
#define N 2
#endif

static atomic_int next, owner;
static int shared;

static void lock (void) {
  int ticket = atomic_fetch_add_explicit (&next, 1, memory_order_relaxed);
  while (atomic_load_explicit (&owner, memory_order_acquire) != ticket) {
  }
}

static void unlock (void) {
  int ticket = atomic_load_explicit (&owner, memory_order_relaxed);
  atomic_store_explicit (&owner, ticket + 1, memory_order_release);
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
