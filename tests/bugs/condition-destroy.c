// A condition variable may be destroyed, and its memory freed, as soon as all that wait were woken; not before.
// verdict: rc11 pass
// verdict: sc pass
// verdict: tso pass
// verdict: ra pass
// finding[-DWAITED]: rc11 lock-misuse D
// finding[-DWAITED]: sc lock-misuse D
// finding[-DWAITED]: tso lock-misuse D
// finding[-DAFTER]: rc11 lock-misuse S
// finding[-DAFTER]: sc lock-misuse S
// verdict[--reduce=none]: rc11 pass
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t *c;
static int ready, left;

static void *waiter (void *unused) {
  pthread_mutex_lock (&m);
  while (!ready) pthread_cond_wait (c, &m);
  pthread_mutex_unlock (&m);
  return NULL;
}

int main (void) {
  pthread_t t;
  c = malloc (sizeof *c);
  pthread_cond_init (c, NULL);
  pthread_create (&t, NULL, waiter, NULL);
  pthread_mutex_lock (&m);
  ready = 1;
#ifdef WAITED
  pthread_cond_destroy (c); // @D
  pthread_mutex_unlock (&m);
#else
  pthread_cond_broadcast (c);
  pthread_mutex_unlock (&m);
  pthread_cond_destroy (c);
#ifdef AFTER
  pthread_cond_signal (c); // @S
#endif
  free (c);
#endif
  pthread_join (t, NULL);
  return 0;
}
