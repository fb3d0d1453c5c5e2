// A ring buffer for one producer and one consumer.
// verdict[-DPUBLISH=memory_order_release]: rc11 pass
// verdict[-DPUBLISH=memory_order_release]: sc pass
// finding[-DPUBLISH=memory_order_relaxed]: rc11 race
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { SLOTS = 2, ITEMS = 3 };

static int slot[SLOTS];
static atomic_uint head, tail;

static void *producer (void *unused) {
  for (int i = 1; i <= ITEMS; i++) {
    unsigned t = atomic_load_explicit (&tail, memory_order_relaxed);
    while (t - atomic_load_explicit (&head, memory_order_acquire) == SLOTS) {
    }
    slot[t % SLOTS] = i;
    atomic_store_explicit (&tail, t + 1, PUBLISH);
  }
  return NULL;
}

static void *consumer (void *unused) {
  for (int i = 1; i <= ITEMS; i++) {
    unsigned h = atomic_load_explicit (&head, memory_order_relaxed);
    while (atomic_load_explicit (&tail, memory_order_acquire) == h) {
    }
    int item = slot[h % SLOTS];
#ifdef CHECK
    assert (item == i);
#endif
    (void)item;
    atomic_store_explicit (&head, h + 1, memory_order_release);
  }
  return NULL;
}

int main (void) {
  pthread_t p, c;
  pthread_create (&p, NULL, producer, NULL);
  pthread_create (&c, NULL, consumer, NULL);
  pthread_join (p, NULL);
  pthread_join (c, NULL);
  return 0;
}
