// porf: liveness
// porf: pass -- -DFIXED
// porf: pass -m tso
//
// A queue lock. A thread that wants it fills in a node, appends it to the queue with an exchange,
// and if somebody was there before, links itself in and waits at its own node until the lock is
// handed over.

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifdef FIXED
#define APPEND memory_order_acq_rel
#else
#define APPEND memory_order_acquire
#endif

typedef struct Node {
  _Atomic (struct Node *) next;
  atomic_int waits;
} Node;

static _Atomic (Node *) tail;
static int counter;

static void lock (Node *me) {
  atomic_store_explicit (&me->next, NULL, memory_order_relaxed);
  atomic_store_explicit (&me->waits, 1, memory_order_relaxed);
  Node *before = atomic_exchange_explicit (&tail, me, APPEND);
  if (!before) return;
  atomic_store_explicit (&before->next, me, memory_order_release);
  while (atomic_load_explicit (&me->waits, memory_order_acquire)) {
  }
}

static void unlock (Node *me) {
  Node *after = atomic_load_explicit (&me->next, memory_order_acquire);
  if (!after) {
    Node *last = me;
    if (atomic_compare_exchange_strong_explicit (&tail, &last, NULL, memory_order_release,
                                                 memory_order_relaxed))
      return;
    while (!(after = atomic_load_explicit (&me->next, memory_order_acquire))) {
    }
  }
  atomic_store_explicit (&after->waits, 0, memory_order_release);
}

static Node nodes[2];

static void *worker (void *node) {
  lock (node);
  counter++;
  unlock (node);
  return NULL;
}

int main (void) {
  pthread_t t1, t2;
  pthread_create (&t1, NULL, worker, &nodes[0]);
  pthread_create (&t2, NULL, worker, &nodes[1]);
  pthread_join (t1, NULL);
  pthread_join (t2, NULL);
  return 0;
}
