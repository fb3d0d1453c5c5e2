// A Chase-Lev deque: its owner does 2 K operations, a thief tries S times.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef K
#define K 2
#endif
#ifndef S
#define S 1
#endif
enum { PLACES = 8 };

static atomic_int top, bottom;
static atomic_int place[PLACES];
static atomic_int taken[2 * K + 1];

static void push (int value) {
  int b = atomic_load_explicit (&bottom, memory_order_relaxed);
  atomic_store_explicit (&place[b % PLACES], value, memory_order_relaxed);
  atomic_thread_fence (memory_order_release);
  atomic_store_explicit (&bottom, b + 1, memory_order_relaxed);
}

static int pop (void) {
  int b = atomic_load_explicit (&bottom, memory_order_relaxed) - 1;
  atomic_store_explicit (&bottom, b, memory_order_relaxed);
  atomic_thread_fence (memory_order_seq_cst);
  int t = atomic_load_explicit (&top, memory_order_relaxed);
  if (t > b) {
    atomic_store_explicit (&bottom, b + 1, memory_order_relaxed);
    return 0;
  }
  int value = atomic_load_explicit (&place[b % PLACES], memory_order_relaxed);
  if (t < b) return value;
  if (!atomic_compare_exchange_strong_explicit (&top, &t, t + 1, memory_order_seq_cst,
                                                memory_order_relaxed))
    value = 0;
  atomic_store_explicit (&bottom, b + 1, memory_order_relaxed);
  return value;
}

static int steal (void) {
  int t = atomic_load_explicit (&top, memory_order_acquire);
  atomic_thread_fence (memory_order_seq_cst);
  int b = atomic_load_explicit (&bottom, memory_order_acquire);
  if (t >= b) return 0;
  int value = atomic_load_explicit (&place[t % PLACES], memory_order_relaxed);
  if (!atomic_compare_exchange_strong_explicit (&top, &t, t + 1, memory_order_seq_cst,
                                                memory_order_relaxed))
    return 0;
  return value;
}

static void take (int value) {
  if (value) assert (!atomic_exchange_explicit (&taken[value], 1, memory_order_relaxed));
}

static void *own (void *arg) {
  for (int i = 1; i <= K; i++) push (i);
  for (int i = 0; i < K; i++) take (pop ());
  return arg;
}
static void *thieve (void *arg) {
  for (int i = 0; i < S; i++) take (steal ());
  return arg;
}

int main (void) {
  pthread_t t[2];
  pthread_create (&t[0], NULL, own, NULL);
  pthread_create (&t[1], NULL, thieve, NULL);
  pthread_join (t[0], NULL);
  pthread_join (t[1], NULL);
}
