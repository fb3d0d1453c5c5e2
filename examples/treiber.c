// verdict: rc11 pass
// verdict[-DBUG]: rc11 violation
//
// A lock-free stack (Treiber, 1986) with nodes from malloc.
//
// main pushes two values, and two threads pop one each. push publishes the node with a release
// compare-exchange and pop takes it with an acquire load, so whoever gets a node sees what was
// written into it.
//
// The popped node is freed at the end and not at once: another thread that is still in its loop
// might be about to read `next` of that very node. With -DBUG the popper frees it immediately.
//
//     porf examples/treiber.c                         no error
//     porf examples/treiber.c -- -DBUG                error: use after free

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef struct Node {
  int value;
  struct Node *next;
} Node;

_Atomic (Node *) top;
Node *popped[2];

void push (int value) {
  Node *n = malloc (sizeof *n);
  if (!n) abort ();
  n->value = value;
  n->next = atomic_load_explicit (&top, memory_order_relaxed);
  while (!atomic_compare_exchange_strong_explicit (&top, &n->next, n, memory_order_release,
                                                   memory_order_relaxed)) {
  } /* a failed attempt has put the new top into n->next */
}

Node *pop (void) {
  Node *n = atomic_load_explicit (&top, memory_order_acquire);
  while (n && !atomic_compare_exchange_strong_explicit (&top, &n, n->next, memory_order_acquire,
                                                        memory_order_acquire)) {
  }
  return n;
}

void *popper (void *arg) {
  Node **result = arg, *n = pop ();
  if (n) assert (n->value == 1 || n->value == 2);
#ifdef BUG
  free (n);
#else
  *result = n;
#endif
  (void)result;
  return NULL;
}

int main (void) {
  pthread_t t[2];
  push (1);
  push (2);
  for (int i = 0; i < 2; i++) pthread_create (&t[i], NULL, popper, &popped[i]);
  for (int i = 0; i < 2; i++) pthread_join (t[i], NULL);

  assert (top == NULL); /* two pushes, two pops */
  for (int i = 0; i < 2; i++) free (popped[i]);
  return 0;
}
