// A lock that waits by reading before it tries to exchange.
// expect[-DN=2]: sc 4, rc11 4
// verdict[-DN=3]: rc11 pass
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int lock;
static int counter;

static void *increment (void *unused) {
  for (;;) {
    while (atomic_load_explicit (&lock, memory_order_relaxed)) {
    }
    if (!atomic_exchange_explicit (&lock, 1, memory_order_acquire)) break;
  }
  counter++;
  atomic_store_explicit (&lock, 0, memory_order_release);
  return NULL;
}

int main (void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) pthread_create (&t[i], NULL, increment, NULL);
  for (int i = 0; i < N; i++) pthread_join (t[i], NULL);
  assert (counter == N);
  return 0;
}
