// expect[--no-liveness]: rc11 1
// expect[--no-liveness]: rc20 1
// expect[--engine=futures --no-liveness]: rc11 1
// expect[--engine=futures --no-liveness]: rc20 1
//
// The order of the updates of y can be seen, by a load that would only wait wherever threads take turns.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int y, z;

static void *tell (void *arg) {
  atomic_fetch_add_explicit (&y, 1, memory_order_relaxed);
  atomic_store_explicit (&z, 3, memory_order_relaxed);
  return arg;
}

static void *look (void *arg) {
  atomic_fetch_add_explicit (&y, 1, memory_order_relaxed);
  while (atomic_load_explicit (&z, memory_order_relaxed) != 3 || atomic_load_explicit (&y, memory_order_relaxed) != 1) {}
  return arg;
}

int main (void) {
  pthread_t a, b;
  pthread_create (&a, NULL, tell, NULL);
  pthread_create (&b, NULL, look, NULL);
  pthread_join (a, NULL);
  pthread_join (b, NULL);
  return 0;
}
