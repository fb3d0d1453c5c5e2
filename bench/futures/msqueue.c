// A Michael-Scott queue: N threads enqueue and dequeue, and with -DAPART=1 one half enqueues and the other dequeues.
#include <assert.h>
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
static Node nodes[N + 1];
static Node *_Atomic head = &nodes[N], *_Atomic tail = &nodes[N];

static void enqueue (Node *n) {
  for (;;) {
    Node *last = atomic_load_explicit (&tail, memory_order_acquire);
    Node *next = atomic_load_explicit (&last->next, memory_order_acquire);
    if (next) {
      atomic_compare_exchange_strong_explicit (&tail, &last, next, memory_order_release,
                                               memory_order_relaxed);
      continue;
    }
    if (atomic_compare_exchange_strong_explicit (&last->next, &next, n, memory_order_release,
                                                 memory_order_relaxed)) {
      atomic_compare_exchange_strong_explicit (&tail, &last, n, memory_order_release,
                                               memory_order_relaxed);
      return;
    }
  }
}

static int dequeue (void) {
  for (;;) {
    Node *first = atomic_load_explicit (&head, memory_order_acquire);
    Node *last = atomic_load_explicit (&tail, memory_order_acquire);
    Node *next = atomic_load_explicit (&first->next, memory_order_acquire);
    if (!next) return 0;
    if (first == last)
      atomic_compare_exchange_strong_explicit (&tail, &last, next, memory_order_release,
                                               memory_order_relaxed);
    else if (atomic_compare_exchange_strong_explicit (&head, &first, next, memory_order_acq_rel,
                                                      memory_order_relaxed))
      return next->value;
  }
}

static void *work (void *arg) {
  Node *n = arg;
  n->value = 1;
#ifdef APART
  if (n - nodes < N / 2)
    enqueue (n);
  else
    dequeue ();
#else
  enqueue (n);
  assert (dequeue () == 1);
#endif
  return NULL;
}

int main (void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) pthread_create (&t[i], NULL, work, &nodes[i]);
  for (int i = 0; i < N; i++) pthread_join (t[i], NULL);
}
