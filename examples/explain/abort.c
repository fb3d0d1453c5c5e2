// The program gives up when a lock is taken, which it did not expect.
// finding: rc11 abort give-up
#include <pthread.h>
#include <stdlib.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *user (void *arg) {
  if (pthread_mutex_trylock (&m)) abort (); // @give-up
  pthread_mutex_unlock (&m);
  return arg;
}

int main (void) {
  pthread_t t1, t2;
  pthread_create (&t1, NULL, user, NULL);
  pthread_create (&t2, NULL, user, NULL);
  pthread_join (t1, NULL);
  pthread_join (t2, NULL);
  return 0;
}
