// N/2 independent pairs of load-buffering threads: 3^(N/2) executions.
// expect[-DN=4]: rc11 9/0
// expect[-DN=10]: rc11 243/0
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x[N];

static void *pass (void *arg) {
  int i = *(int *)arg;
  atomic_load_explicit (&x[i], memory_order_relaxed);
  atomic_store_explicit (&x[i ^ 1], 1, memory_order_relaxed);
  return NULL;
}

int main (void) {
  pthread_t t[N];
  int id[N];
  for (int i = 0; i < N; i++) {
    id[i] = i;
    pthread_create (&t[i], NULL, pass, &id[i]);
  }
  for (int i = 0; i < N; i++) pthread_join (t[i], NULL);
  return 0;
}
