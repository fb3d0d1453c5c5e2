// expect[-DN=2]: rc11 16
// expect[-DN=3]: rc11 1368
// verdict[-DN=3 -DCONSUMERS=1]: rc11 pass
// verdict[-DN=2]: tso pass
// finding[-DBUG=1]: rc11 race fill|use
// finding[-DBUG=1]: rc11 assert value
// finding[-DBUG=2 -DCONSUMERS=1]: rc11 race fill|use
// finding[-DBUG=2 -DCONSUMERS=1]: rc11 assert value
// finding[-DBUG=3]: rc11 assert
// finding[-DBUG=3]: sc assert
// fix[-DBUG=1]: rc11 bug1
// fix[-DBUG=2 -DCONSUMERS=1]: rc11 bug2
// fix[-DBUG=3]: rc11 bug3
// fix[-DBUG=3]: sc bug3
//
// The queue of Michael and Scott. Every thread enqueues a value and dequeues one. Nodes are static
// and used once; whoever has enqueued finds something to dequeue, and nothing is dequeued twice.
// With CONSUMERS the last threads only dequeue, and may find the queue empty.
//
// BUG 1: the link to a new node is published without its contents.
// BUG 2: the reader of the link does not acquire.
// BUG 3: the new node is linked in with a store: if two threads do so, one node is lost.

#include "structures.h"

#ifndef CONSUMERS
#define CONSUMERS 0
#endif

typedef struct Node {
  int value;
  _Atomic (struct Node *) next;
} Node;

static Node nodes[N + 1]; /* the last one is the first dummy */
static _Atomic (Node *) head = &nodes[N], tail = &nodes[N];
static atomic_int taken[N];

static bool change (_Atomic (Node *) *p, Node *from, Node *to, memory_order order) {
  return atomic_compare_exchange_strong_explicit (p, &from, to, order, memory_order_relaxed);
}

static bool append (Node *last, Node *n) {
  if (BUG == 3) {
    atomic_store_explicit (&last->next, n, memory_order_release); // @bug3
    return true;
  }
  return change (&last->next, NULL, n, ORDER (release, 1)); // @bug1
}

static void enqueue (Node *n) {
  for (;;) {
    Node *last = atomic_load_explicit (&tail, memory_order_acquire);
    Node *after = atomic_load_explicit (&last->next, memory_order_acquire);
    if (after) {
      change (&tail, last, after,
              memory_order_release); /* help the one who has not moved the tail yet */
    } else if (append (last, n)) {
      change (&tail, last, n, memory_order_release);
      return;
    }
  }
}

static bool dequeue (int *value) {
  for (;;) {
    Node *first = atomic_load_explicit (&head, memory_order_acquire);
    Node *last = atomic_load_explicit (&tail, memory_order_acquire);
    Node *after = atomic_load_explicit (&first->next, ORDER (acquire, 2)); // @bug2
    if (!after) return false;
    if (first == last) change (&tail, last, after, memory_order_release);
    int v = after->value; // @use
    if (change (&head, first, after, memory_order_release)) {
      *value = v;
      return true;
    }
  }
}

static void *thread (void *arg) {
  int i = number (arg), value = 0;
  if (i < N - CONSUMERS) {
    nodes[i].value = i + 42; // @fill
    enqueue (&nodes[i]);
  }
  bool found = dequeue (&value);
  assert (found || CONSUMERS);
  if (!found) return NULL;
  assert (value >= 42);                                                             // @value
  assert (!atomic_exchange_explicit (&taken[value - 42], 1, memory_order_relaxed)); // @once
  return NULL;
}

int main (void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) start (&t[i], thread, i);
  join (t, N);
}
