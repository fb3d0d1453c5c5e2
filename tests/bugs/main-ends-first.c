// main returns without a join: the thread's accesses may or may not happen, none of them is an error.
// verdict: sc pass
// verdict: rc11 pass
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *writer (void *unused) {
  atomic_store (&x, 1);
  return NULL;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, writer, NULL);
  return 0;
}
