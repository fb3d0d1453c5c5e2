// A thread unlocks what it does not hold.
// finding: rc11 lock-misuse unlock
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *holder (void *arg) {
  pthread_mutex_lock (&m);
  pthread_mutex_unlock (&m);
  return arg;
}

void *other (void *arg) {
  pthread_mutex_unlock (&m); // @unlock
  return arg;
}

int main (void) {
  pthread_t t1, t2;
  pthread_create (&t1, NULL, holder, NULL);
  pthread_create (&t2, NULL, other, NULL);
  pthread_join (t1, NULL);
  pthread_join (t2, NULL);
  return 0;
}
