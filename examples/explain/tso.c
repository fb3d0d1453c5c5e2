// Store buffering: both stores may still be in the buffers of their threads when the loads are done. With a
// fence between them (-DFENCE) they are not.
// finding: tso assert neither
// verdict: sc pass
// verdict[-DFENCE]: tso pass
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef FENCE
#define full_fence() atomic_thread_fence (memory_order_seq_cst)
#else
#define full_fence()
#endif

atomic_int x, y;
int r0, r1;

void *one (void *arg) {
  atomic_store_explicit (&x, 1, memory_order_relaxed);
  full_fence ();
  r0 = atomic_load_explicit (&y, memory_order_relaxed);
  return arg;
}

void *two (void *arg) {
  atomic_store_explicit (&y, 1, memory_order_relaxed);
  full_fence ();
  r1 = atomic_load_explicit (&x, memory_order_relaxed);
  return arg;
}

int main (void) {
  pthread_t t1, t2;
  pthread_create (&t1, NULL, one, NULL);
  pthread_create (&t2, NULL, two, NULL);
  pthread_join (t1, NULL);
  pthread_join (t2, NULL);
  assert (r0 || r1); // @neither
  return 0;
}
