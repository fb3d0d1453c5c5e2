// Writers fill an array, each from its left neighbour, while one thread looks for the last zero.
// expect[-DN=5]: rc11 64/0, wrc11 64/0
// expect[-DN=10]: rc11 3328/0
#include <pthread.h>
#include <stdatomic.h>

static atomic_int array[N + 1];

static void *reader (void *unused) {
  for (int i = N; atomic_load_explicit (&array[i], memory_order_acquire) != 0; i--) {
  }
  return NULL;
}

static void *writer (void *arg) {
  int i = *(int *)arg;
  int left = atomic_load_explicit (&array[i - 1], memory_order_acquire);
  atomic_store_explicit (&array[i], left + 1, memory_order_release);
  return NULL;
}

int main (void) {
  pthread_t r, t[N];
  int id[N];
  pthread_create (&r, NULL, reader, NULL);
  for (int i = 0; i < N; i++) {
    id[i] = i + 1;
    pthread_create (&t[i], NULL, writer, &id[i]);
  }
  pthread_join (r, NULL);
  for (int i = 0; i < N; i++) pthread_join (t[i], NULL);
  return 0;
}
