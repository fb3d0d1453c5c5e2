// A thread unlocks a mutex that another thread holds.
// finding: rc11 lock-misuse A
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *thief (void *unused) {
  pthread_mutex_unlock (&m); // @A
  return NULL;
}

int main (void) {
  pthread_t t;
  pthread_mutex_lock (&m);
  pthread_create (&t, NULL, thief, NULL);
  pthread_join (t, NULL);
  return 0;
}
