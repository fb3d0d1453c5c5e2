// Weak compare-exchanges in loops that try again: a counter, a lock, a stack. The search ends, and failures for no reason
// change nothing.
// expect: rc11 64
// verdict[--spurious]: rc11 pass
// assumed: rc11 spurious-failures
// assumed[--spurious]: rc11 nothing
// verdict[--spurious]: tso pass
// verdict[--spurious --reduce=none]: sc pass
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
  struct node *next;
};

static atomic_int count, lock;
static struct node *_Atomic head;
static int held;

static void increment (void) {
  int old = atomic_load_explicit (&count, memory_order_relaxed);
  while (!atomic_compare_exchange_weak_explicit (&count, &old, old + 1, memory_order_relaxed, memory_order_relaxed)) {}
}

static void with_lock (void) {
  for (;;) {
    while (atomic_load_explicit (&lock, memory_order_relaxed)) {}
    int free = 0;
    if (atomic_compare_exchange_weak_explicit (&lock, &free, 1, memory_order_acquire, memory_order_relaxed)) break;
  }
  held++;
  atomic_store_explicit (&lock, 0, memory_order_release);
}

static void push (struct node *n) {
  do n->next = atomic_load_explicit (&head, memory_order_relaxed);
  while (!atomic_compare_exchange_weak_explicit (&head, &n->next, n, memory_order_release, memory_order_relaxed));
}

static void *worker (void *node) {
  increment ();
  with_lock ();
  push (node);
  return NULL;
}

int main (void) {
  pthread_t t;
  struct node a, b;
  pthread_create (&t, NULL, worker, &a);
  worker (&b);
  pthread_join (t, NULL);
  assert (count == 2 && held == 2);
  assert (head && head->next && !head->next->next);
  return 0;
}
