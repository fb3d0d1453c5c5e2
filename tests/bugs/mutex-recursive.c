// The owner of a recursive mutex may lock it again; others wait until it has unlocked it as often.
// verdict: rc11 pass
// verdict: sc pass
// finding[-DLOST]: rc11 deadlock
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static int counter;

static void *increment (void *unused) {
  pthread_mutex_lock (&m);
  pthread_mutex_lock (&m);
  counter++;
  pthread_mutex_unlock (&m);
#ifndef LOST
  pthread_mutex_unlock (&m);
#endif
  return NULL;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, increment, NULL);
  increment (NULL);
  pthread_join (t, NULL);
  assert (counter == 2);
  return 0;
}
