// The pointer is used although it may not have been set.
// finding: rc11 null read
#include <pthread.h>
#include <stdatomic.h>

atomic_int value = 7;
atomic_int *_Atomic shared;

void *setter (void *arg) {
  shared = &value;
  return arg;
}

void *user (void *arg) {
  atomic_int *p = shared;
  atomic_load (p); // @read: p may still be null
  return arg;
}

int main (void) {
  pthread_t t1, t2;
  pthread_create (&t1, NULL, setter, NULL);
  pthread_create (&t2, NULL, user, NULL);
  pthread_join (t1, NULL);
  pthread_join (t2, NULL);
  return 0;
}
