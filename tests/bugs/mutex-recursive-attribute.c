// A mutex made recursive by an attribute, in memory of malloc; a condition variable releases it only if it was
// locked once.
// verdict: rc11 pass
// verdict: sc pass
// verdict: tso pass
// verdict: ra pass
// finding[-DTWICE]: rc11 liveness A
// finding[-DTWICE]: sc liveness A
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t *m;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready, counter;

static void *thread (void *unused) {
  pthread_mutex_lock (m);
  pthread_mutex_lock (m);
  ready = 1;
  counter++;
  pthread_cond_signal (&c);
  pthread_mutex_unlock (m);
  pthread_mutex_unlock (m);
  return NULL;
}

int main (void) {
  pthread_t t;
  pthread_mutexattr_t a;
  m = malloc (sizeof *m);
  pthread_mutexattr_init (&a);
  pthread_mutexattr_settype (&a, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init (m, &a);
  pthread_create (&t, NULL, thread, NULL);
  pthread_mutex_lock (m);
#ifdef TWICE
  pthread_mutex_lock (m);
#endif
  while (!ready) pthread_cond_wait (&c, m); // @A
  counter++;
#ifdef TWICE
  pthread_mutex_unlock (m);
#endif
  pthread_mutex_unlock (m);
  pthread_join (t, NULL);
  assert (counter == 2);
  pthread_mutex_destroy (m);
  free (m);
  return 0;
}
