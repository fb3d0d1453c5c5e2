// A Treiber stack: each of N threads pushes a node and pops one. The first load stands outside of the loop.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef N
#define N 2
#endif

typedef struct Node {
  int value;
  struct Node *_Atomic next;
} Node;
static Node nodes[N];
static Node *_Atomic top;

static void push (Node *n) {
  Node *old = atomic_load_explicit (&top, memory_order_relaxed);
  do
    atomic_store_explicit (&n->next, old, memory_order_relaxed);
  while (!atomic_compare_exchange_strong_explicit (&top, &old, n, memory_order_release,
                                                   memory_order_relaxed));
}

static Node *pop (void) {
  Node *old = atomic_load_explicit (&top, memory_order_acquire);
  while (old && !atomic_compare_exchange_strong_explicit (
                    &top, &old, atomic_load_explicit (&old->next, memory_order_relaxed),
                    memory_order_acquire, memory_order_acquire)) {
  }
  return old;
}

static void *work (void *arg) {
  Node *n = arg;
  n->value = 1;
  push (n);
  pop ();
  return NULL;
}

int main (void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) pthread_create (&t[i], NULL, work, &nodes[i]);
  for (int i = 0; i < N; i++) pthread_join (t[i], NULL);
}
