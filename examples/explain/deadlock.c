// Each thread has the lock that the other one waits for.
// finding: rc11 deadlock
#include <pthread.h>

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

void take (pthread_mutex_t *first, pthread_mutex_t *second) {
  pthread_mutex_lock (first);
  pthread_mutex_lock (second); // take locks in one order
  pthread_mutex_unlock (second);
  pthread_mutex_unlock (first);
}

void *one (void *arg) {
  take (&a, &b);
  return arg;
}

void *two (void *arg) {
  take (&b, &a);
  return arg;
}

int main (void) {
  pthread_t t1, t2;
  pthread_create (&t1, NULL, one, NULL);
  pthread_create (&t2, NULL, two, NULL);
  pthread_join (t1, NULL);
  pthread_join (t2, NULL);
  return 0;
}
