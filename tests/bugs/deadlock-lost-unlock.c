// A lock that is never released stops the other thread for good.
// finding: rc11 deadlock
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int shared;

static void *take (void *unused) {
  pthread_mutex_lock (&m);
  if (++shared == 2) pthread_mutex_unlock (&m);
  return NULL;
}

int main (void) {
  pthread_t t, u;
  pthread_create (&t, NULL, take, NULL);
  pthread_create (&u, NULL, take, NULL);
  pthread_join (t, NULL);
  pthread_join (u, NULL);
  return 0;
}
