// A broadcast wakes all that wait, a signal any one of them.
// verdict: rc11 pass
// verdict: sc pass
// verdict: tso pass
// verdict: ra pass
// verdict: mca pass
// verdict: non-mca pass
// verdict: share pass
// finding[-DSIGNAL]: rc11 liveness W
// finding[-DSIGNAL]: sc liveness W
// finding[-DSIGNAL]: tso liveness W
// finding[-DSIGNAL]: ra liveness W
// finding[-DSIGNAL]: mca liveness W
// finding[-DSIGNAL]: non-mca liveness W
// verdict[-DSIGNAL_EACH]: rc11 pass
// verdict[-DSIGNAL_EACH]: sc pass
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;

static void *waiter (void *unused) {
  pthread_mutex_lock (&m);
  while (!ready) pthread_cond_wait (&c, &m); // @W
#ifdef SIGNAL_EACH
  pthread_cond_signal (&c);
#endif
  pthread_mutex_unlock (&m);
  return NULL;
}

int main (void) {
  pthread_t t, u;
  pthread_create (&t, NULL, waiter, NULL);
  pthread_create (&u, NULL, waiter, NULL);
  pthread_mutex_lock (&m);
  ready = 1;
#if defined SIGNAL || defined SIGNAL_EACH
  pthread_cond_signal (&c);
#else
  pthread_cond_broadcast (&c);
#endif
  pthread_mutex_unlock (&m);
  pthread_join (t, NULL);
  pthread_join (u, NULL);
  return 0;
}
