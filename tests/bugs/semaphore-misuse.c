// A semaphore that is destroyed while a thread may wait for it.
// verdict: rc11 pass
// verdict: sc pass
// verdict: tso pass
// verdict: ra pass
// finding[-DEARLY]: rc11 lock-misuse W|D
// finding[-DEARLY]: sc lock-misuse W|D
// finding[-DEARLY]: tso lock-misuse W|D
// finding[-DEARLY]: ra lock-misuse W|D
// finding[-DTWICE]: rc11 lock-misuse T
// finding[-DFORGOTTEN]: rc11 lock-misuse
// finding[-DFORGOTTEN]: sc lock-misuse
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static sem_t *s;

static void *waiter (void *unused) {
  sem_wait (s); // @W
  return NULL;
}

int main (void) {
  pthread_t t;
  s = malloc (sizeof *s);
#ifndef FORGOTTEN
  sem_init (s, 0, 0);
#endif
  pthread_create (&t, NULL, waiter, NULL);
  sem_post (s);
#ifdef EARLY
  sem_destroy (s); // @D
#endif
  pthread_join (t, NULL);
#ifndef EARLY
  sem_destroy (s);
#endif
#ifdef TWICE
  sem_destroy (s); // @T
#endif
  free (s);
  return 0;
}
