// N threads write one location: every order is an execution, and none is told apart under wrc11.
// expect[-DN=2]: rc11 2/0, sc 2/0, wrc11 1/0
// expect[-DN=3]: rc11 6/0, sc 6/0, wrc11 1/0
// expect[-DN=4]: rc11 24/0, tso 24/0, wrc11 1/0
// expect[-DN=5]: rc11 120/0, ra 120/0, wrc11 1/0
// expect[-DN=6]: rc11 720/0, wrc11 1/0
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *writer (void *arg) {
  atomic_store_explicit (&x, *(int *)arg, memory_order_relaxed);
  return NULL;
}

int main (void) {
  pthread_t t[N];
  int value[N];
  for (int i = 0; i < N; i++) {
    value[i] = i + 1;
    pthread_create (&t[i], NULL, writer, &value[i]);
  }
  for (int i = 0; i < N; i++) pthread_join (t[i], NULL);
  return 0;
}
