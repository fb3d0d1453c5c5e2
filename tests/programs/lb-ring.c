// A ring of N load-buffering threads: all but the one outcome that needs a cycle.
// expect[-DN=4]: rc11 15/0, sc 15/0
// expect[-DN=10]: rc11 1023/0
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x[N];

static void *pass (void *arg) {
  int i = *(int *)arg;
  atomic_load_explicit (&x[i], memory_order_relaxed);
  atomic_store_explicit (&x[(i + 1) % N], 1, memory_order_relaxed);
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
