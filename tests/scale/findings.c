/* Threads write, read and update what others do; two assertions can fail, one early, one late. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif

static atomic_int x[N], last;
static int plain;

static void *work (void *arg) {
  int me = (int)(long)arg;
  atomic_store_explicit (&x[me], 1, memory_order_relaxed);
  int next = atomic_load_explicit (&x[(me + 1) % N], memory_order_relaxed);
  int before = atomic_exchange_explicit (&last, me + 1, memory_order_relaxed);
  int far = atomic_load_explicit (&x[(me + 2) % N], memory_order_relaxed);
  assert (!(me == 0 && before == 2 && next == 0));
  assert (!(me == N - 1 && before == 1 && far == 0 && next == 1));
  if (me == 1 && before == N) plain = far;
  if (me == 2 && next == 0 && far == 0) plain = before;
  return NULL;
}

int main (void) {
  pthread_t t[N];
  for (long i = 0; i < N; i++) pthread_create (&t[i], NULL, work, (void *)i);
  for (int i = 0; i < N; i++) pthread_join (t[i], NULL);
  return 0;
}
