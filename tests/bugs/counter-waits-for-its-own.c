// Of two updates that commute, a thread waits for what lies between them: their order matters although the load that
// waits is never added when both are there. In one execution it ends, in the other it waits forever.
// expect: sc 1, rc11 1, rc20 1
// finding: sc liveness A
// finding: rc11 liveness A
// finding: rc20 liveness A
#include <pthread.h>
#include <stdatomic.h>

static atomic_int y;

static void *one (void *unused) {
  atomic_fetch_add_explicit (&y, 1, memory_order_relaxed);
  return unused;
}

static void *other (void *unused) {
  atomic_fetch_add_explicit (&y, 1, memory_order_relaxed);
  while (atomic_load_explicit (&y, memory_order_relaxed) != 1) {} // @A
  return unused;
}

int main (void) {
  pthread_t t[2];
  pthread_create (&t[0], NULL, one, NULL);
  pthread_create (&t[1], NULL, other, NULL);
  pthread_join (t[0], NULL);
  pthread_join (t[1], NULL);
  return 0;
}
