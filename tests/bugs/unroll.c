// A loop that never ends is cut by --unroll, and the verdict says so.
// verdict[--unroll=4]: rc11 incomplete
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *forever (void *unused) {
  for (;;) atomic_fetch_add_explicit (&x, 1, memory_order_relaxed);
  return NULL;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, forever, NULL);
  pthread_join (t, NULL);
  return 0;
}
