// R+scfs+rmw: the update of the initial value comes before the other write, and the fences know it.
// expect: sc 3/0, tso 3/0, pso 3/0, sra 4/0, ra 4/0, rc11 4/0, rc20 4/0, wrc11 4/0
// expect: jam19 3, jam21 3, jam21t 4
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void *thread0 (void *unused) {
  atomic_store_explicit (&y, 2, memory_order_relaxed);
  atomic_thread_fence (memory_order_seq_cst);
  atomic_load_explicit (&x, memory_order_relaxed);
  return NULL;
}

static void *thread1 (void *unused) {
  atomic_store_explicit (&x, 1, memory_order_relaxed);
  atomic_fetch_add_explicit (&y, 1, memory_order_relaxed);
  atomic_thread_fence (memory_order_seq_cst);
  return NULL;
}

int main (void) {
  pthread_t t[2];

  pthread_create (&t[0], NULL, thread0, NULL);
  pthread_create (&t[1], NULL, thread1, NULL);
  pthread_join (t[0], NULL);
  pthread_join (t[1], NULL);
  return 0;
}
