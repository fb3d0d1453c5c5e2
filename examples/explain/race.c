// Two threads write the same variable, and nothing orders them.
// finding: rc11 race write
#include <pthread.h>

int x;

void *writer (void *arg) {
  x = 1; // @write: a lock, or an atomic_int, would help
  return arg;
}

int main (void) {
  pthread_t t1, t2;
  pthread_create (&t1, NULL, writer, NULL);
  pthread_create (&t2, NULL, writer, NULL);
  pthread_join (t1, NULL);
  pthread_join (t2, NULL);
  return 0;
}
