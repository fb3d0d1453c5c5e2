/* What the programs of this folder share: N threads that do the same, and the switch for the broken variant. */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#ifndef N
#define N 2
#endif
#ifndef BUG
#define BUG 0
#endif

#define RELAXED memory_order_relaxed
#define ACQUIRE memory_order_acquire
#define RELEASE memory_order_release
#define ACQ_REL memory_order_acq_rel

static void run (int n, void *(*body) (void *)) {
  pthread_t threads[8];
  for (int i = 0; i < n; i++) pthread_create (&threads[i], 0, body, 0);
  for (int i = 0; i < n; i++) pthread_join (threads[i], 0);
}

static void run_beside (int n, void *(*body) (void *), void *(*other) (void *)) {
  pthread_t threads[8];
  pthread_create (&threads[n], 0, other, 0);
  for (int i = 0; i < n; i++) pthread_create (&threads[i], 0, body, 0);
  for (int i = 0; i <= n; i++) pthread_join (threads[i], 0);
}
