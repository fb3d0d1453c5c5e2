// expect[-DN=2]: rc11 12, rc20 12, wkmo2 12, xmm 12, imm 12
//
// futex_mutex(N): the three-state mutex on a futex, which is a counter of signals here.

#include <stdatomic.h>
#include "threads.h"

#ifndef N
#define N 2
#endif

enum { FREE, TAKEN, WANTED };

static atomic_int mutex, signals;
static int shared;

static int exchange (int from, int to, memory_order success, memory_order failure) {
  return atomic_compare_exchange_strong_explicit (&mutex, &from, to, success, failure);
}

static void sleep_on (int value) {
  int seen = atomic_load_explicit (&signals, memory_order_acquire);
  if (atomic_load_explicit (&mutex, memory_order_acquire) != value) return;
  while (atomic_load_explicit (&signals, memory_order_acquire) == seen);
}

static void lock (void) {
  if (exchange (FREE, TAKEN, memory_order_acquire, memory_order_acquire)) return;
  do {
    exchange (TAKEN, WANTED, memory_order_relaxed, memory_order_relaxed);
    sleep_on (WANTED);
  } while (!exchange (FREE, WANTED, memory_order_acquire, memory_order_acquire));
}

static void unlock (void) {
  if (exchange (TAKEN, FREE, memory_order_release, memory_order_relaxed)) return;
  atomic_store_explicit (&mutex, FREE, memory_order_release);
  atomic_fetch_add_explicit (&signals, 1, memory_order_release);
}

static void *thread (void *arg) {
  lock ();
  shared = number (arg);
  unlock ();
  return NULL;
}

int main (void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) start (&t[i], thread, i);
  join (t, N);
}
