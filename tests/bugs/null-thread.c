// A thread reads a pointer that the other may not have published yet.
// finding: sc null A
// finding: rc11 null A
#include <pthread.h>
#include <stdatomic.h>

static int data = 1;
static int *_Atomic pointer;

static void *reader (void *unused) {
  int *p = atomic_load (&pointer);
  return *p ? p : NULL; // @A
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, reader, NULL);
  atomic_store (&pointer, &data);
  pthread_join (t, NULL);
  return 0;
}
