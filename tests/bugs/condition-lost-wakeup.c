// A wait without a predicate misses the signal that came before it.
// finding: rc11 liveness
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *signaller (void *unused) {
  pthread_mutex_lock (&m);
  pthread_cond_signal (&c);
  pthread_mutex_unlock (&m);
  return NULL;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, signaller, NULL);
  pthread_mutex_lock (&m);
  pthread_cond_wait (&c, &m);
  pthread_mutex_unlock (&m);
  pthread_join (t, NULL);
  return 0;
}
