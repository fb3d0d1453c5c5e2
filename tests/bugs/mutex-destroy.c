// A mutex is destroyed when nobody holds it and nobody will want it; or too early.
// verdict: rc11 pass
// verdict: sc pass
// verdict: tso pass
// verdict: ra pass
// finding[-DEARLY]: rc11 lock-misuse D|L
// finding[-DEARLY]: sc lock-misuse D|L
// finding[-DEARLY]: tso lock-misuse D|L
// finding[-DEARLY]: ra lock-misuse D|L
// finding[-DTWICE]: rc11 lock-misuse D2
// verdict[-DAGAIN]: rc11 pass
// verdict[-DAGAIN]: sc pass
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t *m;
static int counter;

static void *thread (void *unused) {
  pthread_mutex_lock (m); // @L
  counter++;
  pthread_mutex_unlock (m);
  return NULL;
}

int main (void) {
  pthread_t t;
  m = malloc (sizeof *m);
  pthread_mutex_init (m, NULL);
  pthread_create (&t, NULL, thread, NULL);
#ifndef EARLY
  pthread_join (t, NULL);
#endif
  pthread_mutex_destroy (m); // @D
#ifdef TWICE
  pthread_mutex_destroy (m); // @D2
#endif
#ifdef AGAIN
  pthread_mutex_init (m, NULL);
  thread (NULL);
  assert (counter == 2);
  pthread_mutex_destroy (m);
#endif
#ifdef EARLY
  pthread_join (t, NULL);
#endif
  free (m);
  return 0;
}
