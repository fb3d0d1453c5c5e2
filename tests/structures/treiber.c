// expect[-DN=2]: rc11 22, sc 22, tso 22
// expect[-DN=3]: rc11 4812
// verdict[-DN=3]: tso pass
// finding[-DBUG=1]: rc11 race fill|use
// finding[-DBUG=1]: rc11 assert use
// finding[-DBUG=2]: rc11 race fill|use
// finding[-DBUG=2]: rc11 assert use
// finding[-DBUG=3]: rc11 assert
// finding[-DBUG=3]: sc assert
// fix[-DBUG=1]: rc11 bug1
// fix[-DBUG=2]: rc11 bug2
// fix[-DBUG=3]: rc11 bug3
// fix[-DBUG=3]: sc bug3
//
// Treiber's stack. Every thread pushes a node and pops one. Nodes are static and pushed only once,
// so there is no ABA problem; whoever has pushed finds something to pop, and no node is popped
// twice.
//
// BUG 1: the push publishes the node without its contents.
// BUG 2: the pop does not acquire the contents.
// BUG 3: the pop stores the new top without checking that it is still the old one.

#include "structures.h"

typedef struct Node {
  int value;
  _Atomic (struct Node *) next;
} Node;

static _Atomic (Node *) top;
static Node nodes[N];
static atomic_int popped[N];

static void push (Node *n) {
  Node *old;
  do {
    old = atomic_load_explicit (&top, memory_order_relaxed);
    atomic_store_explicit (&n->next, old, memory_order_relaxed);
  } while (!atomic_compare_exchange_strong_explicit (&top, &old, n, ORDER (release, 1), // @bug1
                                                     memory_order_relaxed));
}

static bool replace_top (Node *old, Node *new) {
  if (BUG == 3) {
    atomic_store_explicit (&top, new, memory_order_relaxed); // @bug3
    return true;
  }
  return atomic_compare_exchange_strong_explicit (&top, &old, new, memory_order_relaxed,
                                                  memory_order_relaxed);
}

static Node *pop (void) {
  Node *old;
  do {
    old = atomic_load_explicit (&top, ORDER (acquire, 2)); // @bug2
    if (!old) return NULL;
  } while (!replace_top (old, atomic_load_explicit (&old->next, memory_order_relaxed)));
  return old;
}

static void *thread (void *arg) {
  int i = number (arg);
  nodes[i].value = i + 42; // @fill
  push (&nodes[i]);
  Node *n = pop ();
  assert (n);
  assert (n->value == n - nodes + 42); // @use
  assert (!atomic_exchange_explicit (&popped[n - nodes], 1, memory_order_relaxed));
  return NULL;
}

int main (void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) start (&t[i], thread, i);
  join (t, N);
  assert (!atomic_load_explicit (&top, memory_order_relaxed));
}
