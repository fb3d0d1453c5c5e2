// expect[-DN=2]: rc11 16
//
// msqueue(N): N threads enqueue one value each into the queue of Michael and Scott and then dequeue
// one. Nodes are not reused, so there is no ABA problem, and whoever has enqueued finds something
// to dequeue. A failed attempt changes nothing and counts as waiting: followed through instead, it
// is 100 executions for N = 2.

#include <assert.h>
#include <stdatomic.h>
#include "threads.h"

#ifndef N
#define N 2
#endif

typedef struct Node {
  int value;
  _Atomic (struct Node *) next;
} Node;

static Node nodes[N + 1]; /* the last one is the first dummy */
static _Atomic (Node *) head = &nodes[N], tail = &nodes[N];

static _Bool swap (_Atomic (Node *) *p, Node *from, Node *to) {
  return atomic_compare_exchange_strong_explicit (p, &from, to, memory_order_acq_rel,
                                                  memory_order_acquire);
}

static void enqueue (Node *n) {
  for (;;) {
    Node *last = atomic_load_explicit (&tail, memory_order_acquire);
    Node *after = atomic_load_explicit (&last->next, memory_order_acquire);
    if (after) {
      swap (&tail, last, after); /* help who has linked a node but not moved the tail yet */
    } else if (swap (&last->next, NULL, n)) {
      swap (&tail, last, n);
      return;
    }
  }
}

static _Bool dequeue (int *value) {
  for (;;) {
    Node *first = atomic_load_explicit (&head, memory_order_acquire);
    Node *last = atomic_load_explicit (&tail, memory_order_acquire);
    Node *after = atomic_load_explicit (&first->next, memory_order_acquire);
    if (!after) return 0;
    if (first == last) swap (&tail, last, after);
    int v = after->value;
    if (swap (&head, first, after)) {
      *value = v;
      return 1;
    }
  }
}

static void *thread (void *arg) {
  int i = number (arg), value = 0;
  nodes[i].value = i + 42;
  enqueue (&nodes[i]);
  _Bool found = dequeue (&value);
  assert (found && value >= 42 && value < 42 + N);
  return NULL;
}

int main (void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) start (&t[i], thread, i);
  join (t, N);
}
