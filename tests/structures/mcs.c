// expect[-DN=2]: rc11 6, sc 6, tso 6
// expect[-DN=3]: rc11 66
// verdict[-DN=3 -DK=2]: rc11 pass
// finding[-DBUG=1]: rc11 race inside
// finding[-DBUG=1]: rc11 assert sum
// finding[-DBUG=2]: rc11 liveness wait
// finding[-DBUG=2]: sc liveness wait
// finding[-DBUG=3]: rc11 liveness wait
// fix[-DBUG=1]: rc11 bug1
// fix[-DBUG=2 --edits --help-time=55]: rc11 bug2
// blame[-DBUG=2]: sc bug2
// fix[-DBUG=3]: rc11 bug3
//
// The queue lock of Mellor-Crummey and Scott: each thread waits at a flag in its own node, and the
// holder hands the lock to the next node in the queue.
//
// BUG 1: the lock is handed over without publishing what was done inside.
// BUG 2: the holder sees no successor and leaves, although one has queued up and is about to link
//        itself in. It waits forever.
// BUG 3: the exchange that queues up does not order the preparation of the node before it: the link
//        that the successor writes can be overwritten by the NULL that prepared the node.

#include "structures.h"

#ifndef K
#define K 1
#endif

typedef struct Node {
  _Atomic (struct Node *) next;
  atomic_int locked;
} Node;

static _Atomic (Node *) tail;
static Node nodes[N];
static int counter;

static void lock (Node *n) {
  atomic_store_explicit (&n->next, NULL, memory_order_relaxed);
  atomic_store_explicit (&n->locked, 1, memory_order_relaxed);
  Node *before =
      atomic_exchange_explicit (&tail, n, BUG == 3 ? memory_order_acquire : memory_order_acq_rel); // @bug3
  if (!before) return;
  atomic_store_explicit (&before->next, n, memory_order_release);
  while (atomic_load_explicit (&n->locked, memory_order_acquire)) { // @wait
  }
}

static void unlock (Node *n) {
  Node *after = atomic_load_explicit (&n->next, memory_order_acquire);
  if (!after) {
    Node *last = n;
    if (atomic_compare_exchange_strong_explicit (&tail, &last, NULL, memory_order_release,
                                                 memory_order_relaxed))
      return;
    if (BUG == 2) return; // @bug2
    while (!(after = atomic_load_explicit (&n->next, memory_order_acquire))) { // @wait
    }
  }
  atomic_store_explicit (&after->locked, 0, ORDER (release, 1)); // @bug1
}

static void *thread (void *arg) {
  Node *mine = &nodes[number (arg)];
  for (int k = 0; k < K; k++) {
    lock (mine);
    counter++; // @inside
    unlock (mine);
  }
  return NULL;
}

int main (void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) start (&t[i], thread, i);
  join (t, N);
  assert (counter == N * K); // @sum
}
