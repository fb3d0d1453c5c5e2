// N atomic increments of one counter: N! executions under every model.
// expect[-DN=3]: sc 6/0, tso 6/0, pso 6/0, ra 6/0, rc11 6/0, rc20 6/0, wrc11 6/0
// expect[-DN=4]: sc 24/0, rc11 24/0, wrc11 24/0
// expect[-DN=5]: rc11 120/0, wrc11 120/0
// expect[-DN=6]: rc11 720/0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *increment (void *unused) {
  atomic_fetch_add_explicit (&x, 1, memory_order_relaxed);
  return NULL;
}

int main (void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) pthread_create (&t[i], NULL, increment, NULL);
  for (int i = 0; i < N; i++) pthread_join (t[i], NULL);
  return 0;
}
