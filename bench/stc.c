// expect: rc11 183, rc20 183, wkmo2 183, xmm 183, imm 183
//
// stc: Treiber's stack with operations that give up when they lose a race: one thread pushes two
// items and pops one, another one pops one and pushes one. Relaxed but for the push.

#include <stdatomic.h>
#include "threads.h"

typedef struct Node Node;
struct Node {
  atomic_int value;
  _Atomic (Node *) next;
};

static Node node[3];
static _Atomic (Node *) head;

static void try_push (Node *n, int value) {
  atomic_store_explicit (&n->value, value, memory_order_relaxed);
  Node *first = atomic_load_explicit (&head, memory_order_relaxed);
  atomic_store_explicit (&n->next, first, memory_order_relaxed);
  atomic_compare_exchange_strong_explicit (&head, &first, n, memory_order_release,
                                           memory_order_relaxed);
}

static void try_pop (void) {
  Node *first = atomic_load_explicit (&head, memory_order_relaxed);
  if (!first) return;
  atomic_load_explicit (&first->value, memory_order_relaxed);
  Node *next = atomic_load_explicit (&first->next, memory_order_relaxed);
  atomic_compare_exchange_strong_explicit (&head, &first, next, memory_order_relaxed,
                                           memory_order_relaxed);
}

static void *pusher (void *unused) {
  try_push (&node[0], 1);
  try_push (&node[1], 2);
  try_pop ();
  return NULL;
}

static void *popper (void *unused) {
  try_pop ();
  try_push (&node[2], 1);
  return NULL;
}

int main (void) {
  pthread_t t[2];
  start (&t[0], pusher, 0);
  start (&t[1], popper, 1);
  join (t, 2);
}
