// A barrier separates phases; one thread of each round is told.
// verdict: rc11 pass
// verdict: sc pass
// verdict: tso pass
// verdict: ra pass
// finding[-DMISSING]: rc11 assert A
// finding[-DMISSING]: sc assert A
// finding[-DMISSING]: tso assert A
// finding[-DMISSING]: ra assert A
// finding[-DMISSING]: rc11 race
// finding[-DMISSING]: sc race
// finding[-DMISSING]: ra race
// verdict[-DTHREADS=3 -DPHASES=1]: rc11 pass
#include <assert.h>
#include <pthread.h>

#ifndef THREADS
#define THREADS 2
#endif
#ifndef PHASES
#define PHASES 2
#endif
static pthread_barrier_t b;
static int cell[THREADS], serial;

static void *thread (void *arg) {
  int me = (int)(long)arg, sum = 0;
  for (int phase = 1; phase <= PHASES; phase++) {
    cell[me] = phase;
    if (pthread_barrier_wait (&b) == PTHREAD_BARRIER_SERIAL_THREAD) serial++;
    for (int i = 0; i < THREADS; i++) sum += cell[i];
#ifndef MISSING
    pthread_barrier_wait (&b);
#endif
  }
  assert (sum == THREADS * PHASES * (PHASES + 1) / 2); // @A
  return NULL;
}

int main (void) {
  pthread_t t[THREADS];
  pthread_barrier_init (&b, NULL, THREADS);
  for (int i = 0; i < THREADS; i++) pthread_create (&t[i], NULL, thread, (void *)(long)i);
  for (int i = 0; i < THREADS; i++) pthread_join (t[i], NULL);
  assert (serial == PHASES);
  pthread_barrier_destroy (&b);
  return 0;
}
