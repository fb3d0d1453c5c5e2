// sched_yield, usleep, nanosleep and sleep take no time and order nothing.
// expect: rc11 3, sc 3, tso 3, ra 3
// finding[-DORDERED]: rc11 assert A
// finding[-DORDERED]: sc assert A
// finding[-DORDERED]: tso assert A
// finding[-DORDERED]: ra assert A
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

static atomic_int x;

static void *writer (void *unused) {
  x = 1;
  usleep (1000);
  assert (nanosleep (&(struct timespec){.tv_nsec = 1000}, NULL) == 0);
  x = 2;
  return NULL;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, writer, NULL);
  assert (sched_yield () == 0);
  assert (sleep (3) == 0);
  int seen = x;
#ifdef ORDERED
  assert (seen == 2); // @A
#endif
  pthread_join (t, NULL);
  return seen == 3;
}
