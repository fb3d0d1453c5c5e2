// A half of an atomic pair that is accessed on its own while another thread writes the pair: a race. Atomic accesses
// of different sizes to the same memory are refused.
// finding: rc11 race A|B
// unsupported[-DATOMIC --no-race]: rc11 atomic accesses of different sizes
#include <pthread.h>
#include <stdatomic.h>

typedef struct {
  long a, b;
} Pair;
static _Atomic Pair pair;

static void *writer (void *unused) {
  atomic_store (&pair, ((Pair){2, -2})); // @A
  return unused;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, 0, writer, 0);
#ifdef ATOMIC
  atomic_load ((_Atomic long *)&pair);
#else
  ((Pair *)&pair)->b = 1; // @B
#endif
  pthread_join (t, 0);
  return 0;
}
