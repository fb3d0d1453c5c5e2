// Each thread tries to change 0 to its number, then stores another one.
// expect[-DN=3]: rc11 66/0, wrc11 24/0
// expect[-DN=4]: rc11 1200/0, wrc11 200/0
// expect[-DN=5]: wrc11 2160/0
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *thread (void *arg) {
  int i = *(int *)arg, expected = 0;
  atomic_compare_exchange_strong_explicit (&x, &expected, i, memory_order_relaxed,
                                           memory_order_relaxed);
  atomic_store_explicit (&x, i + 3, memory_order_release);
  return NULL;
}

int main (void) {
  pthread_t t[N];
  int id[N];
  for (int i = 0; i < N; i++) {
    id[i] = i + 1;
    pthread_create (&t[i], NULL, thread, &id[i]);
  }
  for (int i = 0; i < N; i++) pthread_join (t[i], NULL);
  return 0;
}
