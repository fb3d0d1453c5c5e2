// A wait with a timeout ends by a signal or without. A loop of them ends, too, unless nobody writes what it looks at.
// verdict: rc11 pass
// verdict: sc pass
// verdict: tso pass
// verdict: ra pass
// finding[-DSURE]: rc11 assert A
// finding[-DSURE]: sc assert A
// finding[-DSURE]: tso assert A
// finding[-DSURE]: ra assert A
// verdict[-DLOOP]: rc11 pass
// verdict[-DLOOP]: sc pass
// verdict[-DLOOP]: tso pass
// verdict[-DLOOP]: ra pass
// finding[-DTRIES]: rc11 assert B
// finding[-DTRIES]: sc assert B
// verdict[-DLOOP --reduce=none]: rc11 pass
// finding[-DLOOP -DNEVER]: rc11 liveness L
// finding[-DLOOP -DNEVER]: sc liveness L
// finding[-DLOOP -DNEVER]: tso liveness L
// finding[-DLOOP -DNEVER]: ra liveness L
// verdict: mca pass
// verdict[-DLOOP]: mca pass
// finding[-DLOOP -DNEVER]: mca liveness L
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;

static void *setter (void *unused) {
  pthread_mutex_lock (&m);
#ifndef NEVER
  ready = 1;
#endif
  pthread_cond_signal (&c);
  pthread_mutex_unlock (&m);
  return NULL;
}

int main (void) {
  struct timespec until = {1, 0};
  pthread_t t;
  pthread_create (&t, NULL, setter, NULL);
  pthread_mutex_lock (&m);
#ifdef LOOP
  while (!ready) pthread_cond_timedwait (&c, &m, &until); // @L
  assert (ready);
#elif defined TRIES
  int tries = 0;
  while (!ready && tries < 3 && pthread_cond_clockwait (&c, &m, CLOCK_MONOTONIC, &until)) tries++;
  assert (tries < 3); // @B
#else
  int result = 0;
  if (!ready) result = pthread_cond_timedwait (&c, &m, &until);
  assert (result == 0 || result == ETIMEDOUT);
#ifdef SURE
  assert (ready); // @A
#endif
#endif
  pthread_mutex_unlock (&m);
  pthread_join (t, NULL);
  return 0;
}
