// verdict: rc11 pass
// verdict[-DBUG]: rc11 violation
//
// A spinlock around a plain counter.
//
// The lock is taken with acquire and given back with release, so each critical section sees
// everything of the ones before it. The waiting loop is infinite on paper; porf finds by itself
// that it only waits, and explores each order of the critical sections once.
//
//     porf examples/spinlock.c                        no error
//     porf examples/spinlock.c -- -DBUG               error: two threads race on `counter`

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef BUG
#define UNLOCK memory_order_relaxed
#else
#define UNLOCK memory_order_release
#endif

enum { THREADS = 3 };

atomic_int held; /* 1 while a thread is inside */
int counter;     /* not atomic: the lock protects it */

void *increment (void *arg) {
  for (int expected = 0; !atomic_compare_exchange_strong_explicit (
           &held, &expected, 1, memory_order_acquire, memory_order_relaxed);)
    expected = 0; /* somebody else is inside: wait */
  counter++;
  atomic_store_explicit (&held, 0, UNLOCK);
  return arg;
}

int main (void) {
  pthread_t t[THREADS];
  for (int i = 0; i < THREADS; i++) pthread_create (&t[i], NULL, increment, NULL);
  for (int i = 0; i < THREADS; i++) pthread_join (t[i], NULL);
  assert (counter == THREADS);
  return 0;
}
