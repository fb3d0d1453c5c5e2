// expect[-DN=2]: rc11 2, sc 2, tso 2
// expect[-DN=3]: rc11 6
// expect[-DN=3 -DK=2]: rc11 90
// finding[-DBUG=1]: rc11 race inside
// finding[-DBUG=1]: rc11 assert sum
// finding[-DBUG=2]: rc11 race inside
// finding[-DBUG=2]: rc11 assert sum
// finding[-DBUG=3 -DK=2]: rc11 liveness wait
// finding[-DBUG=3 -DK=2]: sc liveness wait
// fix[-DBUG=1]: rc11 bug1
// fix[-DBUG=2]: rc11 bug2
// fix[-DBUG=3 -DK=2 --edits --help-time=55]: rc11 bug3
// blame[-DBUG=3 -DK=2]: sc bug3
//
// The queue lock of Craig, Landin and Hagersten: a thread waits at the node of the one before it,
// and takes that node over as its own when it leaves.
//
// The order of the queue is all that can differ: N! executions if each thread enters once.
//
// BUG 1: the unlock publishes nothing.
// BUG 2: the exchange that queues up orders nothing: the thread behind can still see the node as it
//        was before it was locked, and walk in.
// BUG 3: a thread keeps its own node and locks it again before the one behind has seen it unlocked:
//        both wait for each other.

#include "structures.h"

#ifndef K
#define K 1
#endif

typedef struct Node {
  atomic_int locked;
} Node;

static Node nodes[N + 1];
static _Atomic (Node *) tail = &nodes[N]; /* unlocked */
static int counter;

static Node *lock (Node *mine) {
  atomic_store_explicit (&mine->locked, 1, memory_order_relaxed);
  Node *before = atomic_exchange_explicit (&tail, mine, ORDER (acq_rel, 2)); // @bug2
  while (atomic_load_explicit (&before->locked, memory_order_acquire)) { // @wait
  }
  return before;
}

static void unlock (Node *mine) { atomic_store_explicit (&mine->locked, 0, ORDER (release, 1)); } // @bug1

static void *thread (void *arg) {
  Node *mine = &nodes[number (arg)];
  for (int k = 0; k < K; k++) {
    Node *before = lock (mine);
    counter++; // @inside
    unlock (mine);
    if (BUG != 3) mine = before; // @bug3
  }
  return NULL;
}

int main (void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) start (&t[i], thread, i);
  join (t, N);
  assert (counter == N * K); // @sum
}
