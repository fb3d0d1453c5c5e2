// porf: assert
// porf: pass -- -DFIXED
// porf: pass -m tso --no-race
//
// A ring for several producers and one consumer, in the manner of DPDK's rte_ring. A producer
// reserves places by moving `head`, fills them in, and waits for its turn to move `tail`; the
// consumer gives places back by moving `freed`. Numbers only grow; here the ring has one place.

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#ifdef FIXED
#define RESERVE memory_order_release
#else
#define RESERVE memory_order_relaxed
#endif

enum { PLACES = 1 };

static int slots[PLACES];
static atomic_uint head, tail, freed;

static bool put (int value) {
  unsigned mine = atomic_load_explicit (&head, memory_order_acquire), free;
  do {
    free = PLACES + atomic_load_explicit (&freed, memory_order_acquire) - mine;
    if (!free) return false;
    assert (free <= PLACES);
  } while (!atomic_compare_exchange_strong_explicit (&head, &mine, mine + 1, RESERVE,
                                                     memory_order_acquire));
  slots[mine % PLACES] = value;
  while (atomic_load_explicit (&tail, memory_order_acquire) != mine) {
  }
  atomic_store_explicit (&tail, mine + 1, memory_order_release);
  return true;
}

static bool get (int *value) {
  unsigned mine = atomic_load_explicit (&freed, memory_order_relaxed);
  if (atomic_load_explicit (&tail, memory_order_acquire) == mine) return false;
  *value = slots[mine % PLACES];
  atomic_store_explicit (&freed, mine + 1, memory_order_release);
  return true;
}

static void *producer (void *arg) {
  put (2);
  return arg;
}

int main (void) {
  pthread_t t1, t2;
  int value;
  put (1);
  pthread_create (&t1, NULL, producer, NULL);
  pthread_create (&t2, NULL, producer, NULL);
  get (&value);
  pthread_join (t1, NULL);
  pthread_join (t2, NULL);
  return 0;
}
