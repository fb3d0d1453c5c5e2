// Equal threads that begin with a load: some orders of them are ruled out, not all.
// expect: rc11 4, sc 4, tso 4, ra 4
// expect[--reduce=-symmetry]: rc11 4, sc 4, tso 4, ra 4
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *copy (void *unused) {
  int old = atomic_load_explicit (&x, memory_order_relaxed);
  atomic_store_explicit (&x, old + 1, memory_order_relaxed);
  return NULL;
}

int main (void) {
  pthread_t a, b;
  pthread_create (&a, NULL, copy, NULL);
  pthread_create (&b, NULL, copy, NULL);
  pthread_join (a, NULL);
  pthread_join (b, NULL);
}
