// expect[-DN=2]: rc11 6
// expect[-DN=3]: rc11 66
// expect[-DN=4]: rc11 1080
// expect[-DN=5]: rc11 23640
//
// mcslock(N): N threads take the queue lock of Mellor-Crummey and Scott once each and touch a plain
// variable under it.

#include <assert.h>
#include <stdatomic.h>
#include "threads.h"

#ifndef N
#define N 2
#endif

typedef struct Node {
  _Atomic (struct Node *) next;
  atomic_int locked;
} Node;

static _Atomic (Node *) tail;
static Node nodes[N];
static int shared;

static void lock (Node *n) {
  atomic_store_explicit (&n->locked, 1, memory_order_relaxed);
  atomic_store_explicit (&n->next, NULL, memory_order_relaxed);
  Node *before = atomic_exchange_explicit (&tail, n, memory_order_acq_rel);
  if (!before) return;
  atomic_store_explicit (&before->next, n, memory_order_release);
  while (atomic_load_explicit (&n->locked, memory_order_acquire)) {
  }
}

static void unlock (Node *n) {
  Node *after = atomic_load_explicit (&n->next, memory_order_acquire);
  if (!after) {
    Node *last = n;
    if (atomic_compare_exchange_strong_explicit (&tail, &last, NULL, memory_order_release,
                                                 memory_order_relaxed))
      return;
    while (!(after = atomic_load_explicit (&n->next, memory_order_acquire))) {
    }
  }
  atomic_store_explicit (&after->locked, 0, memory_order_release);
}

static void *thread (void *arg) {
  int i = number (arg);
  lock (&nodes[i]);
  shared = i;
  assert (shared == i);
  unlock (&nodes[i]);
  return NULL;
}

int main (void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) start (&t[i], thread, i);
  join (t, N);
}
