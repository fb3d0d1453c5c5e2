// expect[-DN=1]: rc11 14, jam21 14
// expect[-DN=2]: rc11 511, jam21 483
//
// deque(N): a work-stealing deque of Chase and Lev with C11 orders: the owner pushes three
// tasks and takes one, N thieves steal one each. No task is taken twice.

#include <assert.h>
#include <stdatomic.h>
#include "threads.h"

#ifndef N
#define N 1
#endif
enum { SIZE = 4, EMPTY = -1, ABORT = -2 };

static atomic_long top, bottom;
static atomic_int buffer[SIZE];
static atomic_int taken[SIZE];

static void push (int task) {
  long b = atomic_load_explicit (&bottom, memory_order_relaxed);
  atomic_store_explicit (&buffer[b % SIZE], task, memory_order_relaxed);
  atomic_thread_fence (memory_order_release);
  atomic_store_explicit (&bottom, b + 1, memory_order_relaxed);
}

static int take (void) {
  long b = atomic_load_explicit (&bottom, memory_order_relaxed) - 1;
  atomic_store_explicit (&bottom, b, memory_order_relaxed);
  atomic_thread_fence (memory_order_seq_cst);
  long t = atomic_load_explicit (&top, memory_order_relaxed);
  if (t > b) {
    atomic_store_explicit (&bottom, b + 1, memory_order_relaxed);
    return EMPTY;
  }
  int task = atomic_load_explicit (&buffer[b % SIZE], memory_order_relaxed);
  if (t < b) return task;
  if (!atomic_compare_exchange_strong_explicit (&top, &t, t + 1, memory_order_seq_cst,
                                                memory_order_relaxed))
    task = EMPTY;
  atomic_store_explicit (&bottom, b + 1, memory_order_relaxed);
  return task;
}

static int steal (void) {
  long t = atomic_load_explicit (&top, memory_order_acquire);
  atomic_thread_fence (memory_order_seq_cst);
  long b = atomic_load_explicit (&bottom, memory_order_acquire);
  if (t >= b) return EMPTY;
  int task = atomic_load_explicit (&buffer[t % SIZE], memory_order_relaxed);
  if (!atomic_compare_exchange_strong_explicit (&top, &t, t + 1, memory_order_seq_cst,
                                                memory_order_relaxed))
    return ABORT;
  return task;
}

static void use (int task) {
  if (task < 0) return;
  int before = atomic_exchange_explicit (&taken[task], 1, memory_order_relaxed);
  assert (!before);
}

static void *owner (void *arg) {
  push (0);
  push (1);
  use (take ());
  push (2);
  use (take ());
  return arg;
}

static void *thief (void *arg) {
  use (steal ());
  return arg;
}

int main (void) {
  pthread_t t[N + 1];
  start (&t[0], owner, 0);
  for (int i = 1; i <= N; i++) start (&t[i], thief, i);
  join (t, N + 1);
}
