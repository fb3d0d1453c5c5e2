// A recursive mutex, which porf does not support yet, is refused by name and not taken for a deadlock.
// unsupported: rc11 recursive_mutex
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
  pthread_mutex_unlock (&m);
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
