// A counter in the middle of a message: others may see half of it.
// finding: rc11 misaligned count
#include <pthread.h>
#include <stdatomic.h>

_Alignas (8) char message[8];

void *counter (void *arg) {
  atomic_int *count = (atomic_int *)(message + 1);
  atomic_fetch_add (count, 1); // @count
  return arg;
}

int main (void) {
  pthread_t t1, t2;
  pthread_create (&t1, NULL, counter, NULL);
  pthread_create (&t2, NULL, counter, NULL);
  pthread_join (t1, NULL);
  pthread_join (t2, NULL);
  return 0;
}
