// Thread i changes i-1 to i if it finds it.
// expect[-DN=2]: rc11 2/0, wrc11 2/0
// expect[-DN=3]: rc11 5/0, sc 5/0, tso 5/0, wrc11 5/0
// expect[-DN=4]: rc11 14/0, sc 14/0, tso 14/0, wrc11 14/0
// expect[-DN=6]: rc11 144/0, wrc11 144/0
// expect[-DN=8]: rc11 2048/0
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *rotate (void *arg) {
  int i = *(int *)arg, expected = i - 1;
  atomic_compare_exchange_strong_explicit (&x, &expected, i, memory_order_relaxed,
                                           memory_order_relaxed);
  return NULL;
}

int main (void) {
  pthread_t t[N];
  int id[N];
  for (int i = 0; i < N; i++) {
    id[i] = i + 1;
    pthread_create (&t[i], NULL, rotate, &id[i]);
  }
  for (int i = 0; i < N; i++) pthread_join (t[i], NULL);
  return 0;
}
