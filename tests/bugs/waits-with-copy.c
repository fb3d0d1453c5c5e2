// A consumer that waits keeps a copy of what it has read beside the queue, in memory that main has
// prepared and frees: it stores the same again in every round in vain, and still only waits.
// verdict: rc11 pass
// verdict: ra pass
// verdict: sc pass
// verdict: tso pass
// verdict: pso pass
// verdict: rc20 pass
// verdict: wrc11 pass
// finding[-DRELAXED]: rc11 race value
// finding[-DRELAXED]: rc11 uninitialised value
// finding[-DNOBODY]: rc11 liveness wait
// finding[-DNOBODY]: sc liveness wait
// finding[-DNOBODY]: tso liveness wait
// finding[-DFREED_EARLY]: rc11 use-after-free used
// finding[-DWATCHED --unroll=4]: tso assert watched
// finding[-DWATCHED --unroll=4]: rc11 race watcher
// finding[-DWATCHED --unroll=4]: rc11 assert watched
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef RELAXED
#define PUBLISH memory_order_relaxed
#else
#define PUBLISH memory_order_release
#endif

typedef struct Queue {
  _Atomic long tail;
  long seen_tail; // the consumer's copy of tail
  int items[4];
} Queue;

#ifdef WATCHED
// The copy is stored in round after round although somebody else stores there, too.
static long copy;
static atomic_int stop;

static void *waiter (void *arg) {
  do copy = 1;
  while (!atomic_load (&stop));
  return arg;
}

static void *watcher (void *arg) {
  copy = 2;
  long first = *(volatile long *)&copy; // @watcher
  copy = 3;
  long second = *(volatile long *)&copy;
  assert (first != 1 || second != 1); // @watched
  atomic_store (&stop, 1);
  return arg;
}

int main (void) {
  pthread_t t1, t2;
  pthread_create (&t1, NULL, waiter, NULL);
  pthread_create (&t2, NULL, watcher, NULL);
  pthread_join (t1, NULL);
  pthread_join (t2, NULL);
}
#else
static void *producer (void *arg) {
  Queue *q = arg;
  for (int i = 0; i < 2; i++) {
    long t = atomic_load_explicit (&q->tail, memory_order_relaxed);
    q->items[t] = 10 + i;
#ifndef NOBODY
    atomic_store_explicit (&q->tail, t + 1, PUBLISH);
#endif
  }
  return NULL;
}

static void *consumer (void *arg) {
  Queue *q = arg;
  for (int i = 0; i < 2; i++) {
    while (i == q->seen_tail)                                               // @wait
      q->seen_tail = atomic_load_explicit (&q->tail, memory_order_acquire); // @used
    assert (q->items[i] == 10 + i);                                         // @value
  }
  return NULL;
}

int main (void) {
  Queue *q = malloc (sizeof *q);
  atomic_init (&q->tail, 0);
  q->seen_tail = 0;
  pthread_t t1, t2;
  pthread_create (&t1, NULL, producer, q);
  pthread_create (&t2, NULL, consumer, q);
  pthread_join (t1, NULL);
#ifdef FREED_EARLY
  free (q);
  pthread_join (t2, NULL);
#else
  pthread_join (t2, NULL);
  free (q);
#endif
}
#endif
