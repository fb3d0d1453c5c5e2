// Threads that wait for a condition variable at the same time have to do so with the same mutex.
// finding: sc lock-misuse F|G
// finding: rc11 lock-misuse F|G
// finding: wrc11 lock-misuse F|G
// finding: power lock-misuse F|G
// finding: power liveness
// finding: jam21 lock-misuse F|G
// finding: mca lock-misuse F|G
// verdict[-DSAME]: sc pass
// verdict[-DSAME]: rc11 pass
// verdict[-DSAME]: wrc11 pass
// verdict[-DSAME]: mca pass
// verdict[-DONE_BY_ONE]: sc pass
// verdict[-DONE_BY_ONE]: rc11 pass
// verdict[-DONE_BY_ONE]: power pass
// verdict[-DONE_BY_ONE]: jam21 pass
// verdict[-DONE_BY_ONE]: mca pass
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
#ifdef SAME
#define n m
#endif
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int first, second;

static void *f (void *unused) {
  pthread_mutex_lock (&m);
  while (!first) pthread_cond_wait (&c, &m); // @F
  pthread_mutex_unlock (&m);
  return unused;
}

static void *g (void *unused) {
  pthread_mutex_lock (&n);
  while (!second) pthread_cond_wait (&c, &n); // @G
  pthread_mutex_unlock (&n);
  return unused;
}

static void wake (pthread_mutex_t *with, int *flag) {
  pthread_mutex_lock (with);
  *flag = 1;
  pthread_cond_broadcast (&c);
  pthread_mutex_unlock (with);
}

int main (void) {
  pthread_t s, t;
  pthread_create (&s, NULL, f, NULL);
#ifdef ONE_BY_ONE
  wake (&m, &first);
  pthread_join (s, NULL);
#endif
  pthread_create (&t, NULL, g, NULL);
#ifndef ONE_BY_ONE
  wake (&m, &first);
  pthread_join (s, NULL);
#endif
  wake (&n, &second);
  pthread_join (t, NULL);
  return 0;
}
