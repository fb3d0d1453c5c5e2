// The state that cannot be is between the two stores.
// finding: rc11 unreachable
#include <pthread.h>
#include <stdatomic.h>

atomic_int state = 1;

void *mover (void *arg) {
  state = 2;
  state = 3;
  return arg;
}

void *watcher (void *arg) {
  switch (state) {
  case 1:
  case 3:
    return arg;
  default:
    __builtin_unreachable ();
  }
  return arg;
}

int main (void) {
  pthread_t t1, t2;
  pthread_create (&t1, NULL, mover, NULL);
  pthread_create (&t2, NULL, watcher, NULL);
  pthread_join (t1, NULL);
  pthread_join (t2, NULL);
  return 0;
}
