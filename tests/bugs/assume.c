// What an assumption excludes is not counted as a complete execution.
// expect: sc 1, rc11 1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

void __VERIFIER_assume (int);

static atomic_int x;

static void *writer (void *unused) {
  atomic_store (&x, 1);
  return NULL;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, writer, NULL);
  int r = atomic_load (&x);
  __VERIFIER_assume (r == 1);
  assert (r == 1);
  pthread_join (t, NULL);
  return 0;
}
