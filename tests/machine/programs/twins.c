// Threads that cannot be told apart: states that differ by an exchange of them are visited once. The mutex knows who
// holds it. With TOLD, main can tell them apart by what they return, and so it does.
// finding: mca assert left
// finding: non-mca assert left
// finding[--reduce=-symmetry]: mca assert left
// finding[-DTOLD]: mca assert told
// finding[-DTOLD]: non-mca assert told
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 3
#endif

static atomic_int x, y;
static int sum;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *run (void *arg) {
  int a = atomic_load_explicit (&x, memory_order_acquire);
  atomic_store_explicit (&y, a + 1, memory_order_release);
  int b = atomic_fetch_add_explicit (&x, 1, memory_order_relaxed);
  pthread_mutex_lock (&m);
  sum = sum * 3 + b;
  pthread_mutex_unlock (&m);
#ifdef TOLD
  return (void *)(intptr_t)b;
#else
  return arg;
#endif
}

int main (void) {
  pthread_t t[N];
  void *returned[N];
  for (int i = 0; i < N; i++) pthread_create (&t[i], 0, run, 0);
  for (int i = 0; i < N; i++) pthread_join (t[i], &returned[i]);
#ifdef TOLD
  assert (returned[0] <= returned[1]); // @told
#else
  for (int i = 0; i < 20; i++)
    if (sum == i) assert (sum != 7); // @left
#endif
  return 0;
}
