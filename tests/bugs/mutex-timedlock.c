// A lock with a timeout may get the mutex or not; not getting it is no deadlock. Three ways, each with both times that
// the clock may show.
// expect: rc11 6, sc 6, tso 6, ra 6
// finding[-DSURE]: rc11 assert A
// finding[-DSURE]: sc assert A
// finding[-DSURE]: tso assert A
// finding[-DSURE]: ra assert A
// verdict[-DABBA]: rc11 pass
// verdict[-DABBA]: sc pass
// verdict[-DABBA]: tso pass
// verdict[-DABBA]: ra pass
// verdict[-DLOST]: rc11 pass
// verdict[-DLOST]: sc pass
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *thread (void *unused) {
  struct timespec until;
  clock_gettime (CLOCK_REALTIME, &until);
  until.tv_sec++;
#ifdef ABBA
  pthread_mutex_lock (&n);
  int result = pthread_mutex_clocklock (&m, CLOCK_REALTIME, &until);
#else
  int result = pthread_mutex_timedlock (&m, &until);
#endif
#ifdef SURE
  assert (result == 0); // @A
#endif
  assert (result == 0 || result == ETIMEDOUT);
  if (result == 0) {
    counter++;
    pthread_mutex_unlock (&m);
  }
#ifdef ABBA
  pthread_mutex_unlock (&n);
#endif
  return NULL;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, thread, NULL);
  pthread_mutex_lock (&m);
#ifdef ABBA
  pthread_mutex_lock (&n);
  pthread_mutex_unlock (&n);
#endif
  counter++;
#ifndef LOST
  pthread_mutex_unlock (&m);
#endif
  pthread_join (t, NULL);
  return 0;
}
