// expect[-DN=2]: rc11 22
// expect[-DN=3]: rc11 4812
//
// treiber(N): N threads push one node each onto a Treiber stack and then pop one. A node is never
// pushed twice, so there is no ABA problem, and whoever has pushed finds something to pop. A failed
// attempt to pop changes nothing and counts as waiting: followed through instead, it is 46 and
// 68892 executions.

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

static _Atomic (Node *) top;
static Node nodes[N];

static void push (Node *n) {
  Node *old;
  do {
    old = atomic_load_explicit (&top, memory_order_acquire);
    atomic_store_explicit (&n->next, old, memory_order_relaxed);
  } while (!atomic_compare_exchange_strong_explicit (&top, &old, n, memory_order_release,
                                                     memory_order_relaxed));
}

static Node *pop (void) {
  Node *old, *next;
  do {
    old = atomic_load_explicit (&top, memory_order_acquire);
    if (!old) return NULL;
    next = atomic_load_explicit (&old->next, memory_order_relaxed);
  } while (!atomic_compare_exchange_strong_explicit (&top, &old, next, memory_order_release,
                                                     memory_order_relaxed));
  return old;
}

static void *thread (void *arg) {
  int i = number (arg);
  nodes[i].value = i + 42;
  push (&nodes[i]);
  Node *n = pop ();
  assert (n && n->value == (int)(n - nodes) + 42);
  return NULL;
}

int main (void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) start (&t[i], thread, i);
  join (t, N);
}
