// N threads increment two counters: (N!)^2 executions.
// expect[-DN=2]: rc11 4/0, wrc11 4/0
// expect[-DN=3]: rc11 36/0, wrc11 36/0
// expect[-DN=4]: rc11 576/0, wrc11 576/0
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void *increment (void *unused) {
  atomic_fetch_add_explicit (&x, 1, memory_order_relaxed);
  atomic_fetch_add_explicit (&y, 1, memory_order_relaxed);
  return NULL;
}

int main (void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) pthread_create (&t[i], NULL, increment, NULL);
  for (int i = 0; i < N; i++) pthread_join (t[i], NULL);
  return 0;
}
