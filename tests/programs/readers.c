// One writer, N readers: 2^N executions under every model.
// expect[-DN=3]: sc 8/0, tso 8/0, pso 8/0, ra 8/0, rc11 8/0, rc20 8/0, wrc11 8/0
// expect[-DN=8]: rc11 256/0, wrc11 256/0
// expect[-DN=11]: rc11 2048/0
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *writer (void *unused) {
  atomic_store_explicit (&x, 42, memory_order_release);
  return NULL;
}

static void *reader (void *unused) {
  atomic_load_explicit (&x, memory_order_acquire);
  return NULL;
}

int main (void) {
  pthread_t w, t[N];
  pthread_create (&w, NULL, writer, NULL);
  for (int i = 0; i < N; i++) pthread_create (&t[i], NULL, reader, NULL);
  pthread_join (w, NULL);
  for (int i = 0; i < N; i++) pthread_join (t[i], NULL);
  return 0;
}
