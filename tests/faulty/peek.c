// A receiver that looks into a box and then takes what is in it: docs/FAULTY.md.
// verdict: cat/faulty/weak.cat pass
// finding: cat/faulty/read-read.cat assert A
// verdict[-DFENCES]: cat/faulty/read-read.cat pass
// verdict: mcm/weak.mcm pass
// finding: mcm/weak-a9.mcm assert A
// verdict[-DFENCES]: mcm/weak-a9.mcm pass
// verdict: rc11 pass
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int box;

void *sender (void *arg) {
  atomic_store_explicit (&box, 42, memory_order_release);
  return arg;
}

void *receiver (void *arg) {
  if (atomic_load_explicit (&box, memory_order_relaxed)) {
#ifdef FENCES
    atomic_thread_fence (memory_order_seq_cst);
#endif
    int letter = atomic_load_explicit (&box, memory_order_acquire);
    assert (letter == 42); // @A
  }
  return arg;
}

int main (void) {
  pthread_t t1, t2;
  pthread_create (&t1, NULL, sender, NULL);
  pthread_create (&t2, NULL, receiver, NULL);
  pthread_join (t1, NULL);
  pthread_join (t2, NULL);
  return 0;
}
