// More threads than a barrier counts: they pass in pairs, whoever they are.
// verdict: rc11 pass
// verdict: sc pass
// verdict: tso pass
// verdict: ra pass
// finding[-DTHREADS=3]: rc11 liveness W
// finding[-DTHREADS=3]: sc liveness W
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef THREADS
#define THREADS 4
#endif
static pthread_barrier_t b;
static atomic_int serial;

static void *thread (void *unused) {
  if (pthread_barrier_wait (&b) == PTHREAD_BARRIER_SERIAL_THREAD) serial++; // @W
  return NULL;
}

int main (void) {
  pthread_t t[THREADS];
  pthread_barrier_init (&b, NULL, 2);
  for (int i = 0; i < THREADS; i++) pthread_create (&t[i], NULL, thread, NULL);
  for (int i = 0; i < THREADS; i++) pthread_join (t[i], NULL);
  assert (serial == THREADS / 2);
  pthread_barrier_destroy (&b);
  return 0;
}
