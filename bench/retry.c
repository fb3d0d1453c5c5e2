// expect[-DN=2]: rc11 40, sc 40
// expect[-DN=3]: rc11 25680
// expect[-DN=2 --skip-retries]: rc11 10/8, sc 10/8, tso 20/10
// expect[-DN=4 --skip-retries]: rc11 13992
//
// retry(N): treiber as it is mostly written: nodes come from malloc, their fields are plain, and an
// attempt that fails goes on with the value that compare_exchange has found instead of loading it
// again. So no round of the loops leads back to where it began, and each that fails is followed,
// unless --skip-retries is given.

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include "threads.h"

#ifndef N
#define N 2
#endif

typedef struct Node {
  int value;
  struct Node *next;
} Node;

static _Atomic (Node *) top;

static void push (int value) {
  Node *n = malloc (sizeof *n);
  n->value = value;
  Node *old = atomic_load_explicit (&top, memory_order_relaxed);
  do {
    n->next = old;
  } while (!atomic_compare_exchange_weak_explicit (&top, &old, n, memory_order_release,
                                                   memory_order_relaxed));
}

static Node *pop (void) {
  Node *old = atomic_load_explicit (&top, memory_order_acquire);
  while (old && !atomic_compare_exchange_weak_explicit (&top, &old, old->next, memory_order_acquire,
                                                        memory_order_acquire)) {
  }
  return old;
}

static void *thread (void *arg) {
  push (42);
  Node *n = pop ();
  assert (n && n->value == 42);
  return arg;
}

int main (void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) start (&t[i], thread, 0);
  join (t, N);
}
