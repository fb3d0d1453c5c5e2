// A mutex makes plain increments safe: two executions, one for each order.
// expect: rc11 2, sc 2, tso 2, ra 2
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int shared;

static void *increment (void *unused) {
  pthread_mutex_lock (&m);
  shared++;
  pthread_mutex_unlock (&m);
  return NULL;
}

int main (void) {
  pthread_t t, u;
  pthread_create (&t, NULL, increment, NULL);
  pthread_create (&u, NULL, increment, NULL);
  pthread_join (t, NULL);
  pthread_join (u, NULL);
  assert (shared == 2);
  return 0;
}
