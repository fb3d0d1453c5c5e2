// Michael and Scott's queue: one enqueuer and one dequeuer, or two enqueuers; FIFO order holds.
// verdict[-DLINK=memory_order_release]: rc11 pass
// verdict[-DLINK=memory_order_release]: rc20 pass
// verdict[-DLINK=memory_order_release]: sc pass
// finding[-DLINK=memory_order_relaxed]: rc11 race
// finding[-DLINK=memory_order_relaxed]: rc11 uninitialised
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

struct node {
  int value;
  struct node *_Atomic next;
};

static struct node *_Atomic head, *_Atomic tail;

static void enqueue (int value) {
  struct node *n = malloc (sizeof *n);
  n->value = value;
  atomic_init (&n->next, NULL);
  for (;;) {
    struct node *t = atomic_load_explicit (&tail, memory_order_acquire);
    struct node *next = atomic_load_explicit (&t->next, memory_order_acquire);
    if (t != atomic_load_explicit (&tail, memory_order_acquire)) continue;
    if (next) {
      atomic_compare_exchange_strong_explicit (&tail, &t, next, memory_order_release,
                                               memory_order_relaxed);
    } else if (atomic_compare_exchange_strong_explicit (&t->next, &next, n, LINK,
                                                        memory_order_relaxed)) {
      atomic_compare_exchange_strong_explicit (&tail, &t, n, LINK, memory_order_relaxed);
      return;
    }
  }
}

static bool dequeue (int *value) {
  for (;;) {
    struct node *h = atomic_load_explicit (&head, memory_order_acquire);
    struct node *t = atomic_load_explicit (&tail, memory_order_acquire);
    struct node *next = atomic_load_explicit (&h->next, memory_order_acquire);
    if (h != atomic_load_explicit (&head, memory_order_acquire)) continue;
    if (!next) return false;
    if (h == t) {
      atomic_compare_exchange_strong_explicit (&tail, &t, next, memory_order_release,
                                               memory_order_relaxed);
    } else {
      *value = next->value;
      if (atomic_compare_exchange_strong_explicit (&head, &h, next, memory_order_release,
                                                   memory_order_relaxed))
        return true;
    }
  }
}

static void *producer (void *unused) {
  enqueue (1);
  enqueue (2);
  return NULL;
}

static void *consumer (void *unused) {
  int a = 0, b = 0;
  bool first = dequeue (&a), second = dequeue (&b);
  if (first && second) assert (a == 1 && b == 2);
  return NULL;
}

int main (void) {
  pthread_t p, c;
  struct node *dummy = malloc (sizeof *dummy);
  dummy->value = 0;
  atomic_init (&dummy->next, NULL);
  atomic_init (&head, dummy);
  atomic_init (&tail, dummy);
  pthread_create (&p, NULL, producer, NULL);
  pthread_create (&c, NULL, consumer, NULL);
  pthread_join (p, NULL);
  pthread_join (c, NULL);
  return 0;
}
