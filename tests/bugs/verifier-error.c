// __VERIFIER_error and reach_error are assertions that always fail.
// finding: rc11 assert
#include <pthread.h>
#include <stdatomic.h>

void __VERIFIER_error (void);

static atomic_int x;

static void *writer (void *unused) {
  atomic_store (&x, 1);
  return NULL;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, writer, NULL);
  if (atomic_load (&x)) __VERIFIER_error ();
  pthread_join (t, NULL);
  return 0;
}
