// Vyukov's bounded queue: N threads enqueue and N dequeue, K times each.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 1
#endif
#ifndef K
#define K 2
#endif
enum { PLACES = 2 };

static struct {
  atomic_uint turn;
  unsigned value;
} place[PLACES];
static atomic_uint head, tail;

static int enqueue (unsigned value) {
  unsigned at = atomic_load_explicit (&tail, memory_order_relaxed);
  for (;;) {
    unsigned turn = atomic_load_explicit (&place[at % PLACES].turn, memory_order_acquire);
    if (turn == at) {
      if (atomic_compare_exchange_strong_explicit (&tail, &at, at + 1, memory_order_relaxed,
                                                   memory_order_relaxed))
        break;
    } else if ((int)(turn - at) < 0)
      return 0;
    else
      at = atomic_load_explicit (&tail, memory_order_relaxed);
  }
  place[at % PLACES].value = value;
  atomic_store_explicit (&place[at % PLACES].turn, at + 1, memory_order_release);
  return 1;
}

static int dequeue (unsigned *value) {
  unsigned at = atomic_load_explicit (&head, memory_order_relaxed);
  for (;;) {
    unsigned turn = atomic_load_explicit (&place[at % PLACES].turn, memory_order_acquire);
    if (turn == at + 1) {
      if (atomic_compare_exchange_strong_explicit (&head, &at, at + 1, memory_order_relaxed,
                                                   memory_order_relaxed))
        break;
    } else if ((int)(turn - (at + 1)) < 0)
      return 0;
    else
      at = atomic_load_explicit (&head, memory_order_relaxed);
  }
  *value = place[at % PLACES].value;
  atomic_store_explicit (&place[at % PLACES].turn, at + PLACES, memory_order_release);
  return 1;
}

static void *produce (void *arg) {
  for (int i = 0; i < K; i++) enqueue (7);
  return arg;
}
static void *consume (void *arg) {
  unsigned value;
  for (int i = 0; i < K; i++)
    if (dequeue (&value)) assert (value == 7);
  return arg;
}

int main (void) {
  pthread_t t[2 * N];
  for (unsigned i = 0; i < PLACES; i++)
    atomic_store_explicit (&place[i].turn, i, memory_order_relaxed);
  for (int i = 0; i < 2 * N; i++)
    pthread_create (&t[i], NULL, i % 2 ? consume : produce, NULL);
  for (int i = 0; i < 2 * N; i++) pthread_join (t[i], NULL);
}
