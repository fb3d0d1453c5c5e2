// A barrier is a fence where read-modify-writes are: not both can miss what the other has written.
// verdict: sc pass
// verdict: tso pass
// verdict: pso pass
// verdict[--reduce=-barriers]: tso pass
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_barrier_t barrier;
static atomic_int x, y;
static int saw_x, saw_y;

static void *arrive (void *unused) {
  pthread_barrier_wait (&barrier);
  return NULL;
}

static void *write_x (void *unused) {
  atomic_store_explicit (&x, 1, memory_order_relaxed);
  pthread_barrier_wait (&barrier);
  saw_y = atomic_load_explicit (&y, memory_order_relaxed);
  return NULL;
}

int main (void) {
  pthread_t a, b;
  pthread_barrier_init (&barrier, NULL, 2);
  pthread_create (&a, NULL, arrive, NULL);
  pthread_create (&b, NULL, write_x, NULL);
  atomic_store_explicit (&y, 1, memory_order_relaxed);
  atomic_thread_fence (memory_order_seq_cst);
  saw_x = atomic_load_explicit (&x, memory_order_relaxed);
  pthread_join (a, NULL);
  pthread_join (b, NULL);
  assert (saw_x || saw_y);
}
