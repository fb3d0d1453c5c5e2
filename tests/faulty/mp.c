// Message passing on processors with faults: docs/FAULTY.md. With release and acquire, or with FENCES.
// verdict: cat/faulty/weak.cat pass
// verdict[-DFENCES]: cat/faulty/weak.cat pass
// finding[-DRELAXED]: cat/faulty/weak.cat assert A
// verdict: cat/faulty/no-fences.cat pass
// finding[-DFENCES]: cat/faulty/no-fences.cat assert A
// finding: cat/faulty/no-release.cat assert A
// verdict[-DFENCES]: cat/faulty/no-release.cat pass
// finding: cat/faulty/store-buffer.cat assert A
// verdict[-DFENCES]: cat/faulty/store-buffer.cat pass
// verdict: cat/faulty/read-read.cat pass
// verdict[-DFENCES]: cat/faulty/read-read.cat pass
// verdict: tso pass
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef FENCES
#define FENCE atomic_thread_fence (memory_order_seq_cst)
#else
#define FENCE
#endif
#if defined FENCES || defined RELAXED
#define PUBLISH memory_order_relaxed
#define RECEIVE memory_order_relaxed
#else
#define PUBLISH memory_order_release
#define RECEIVE memory_order_acquire
#endif

atomic_int data, ready;

void *sender (void *arg) {
  atomic_store_explicit (&data, 42, memory_order_relaxed);
  FENCE;
  atomic_store_explicit (&ready, 1, PUBLISH);
  return arg;
}

void *receiver (void *arg) {
  if (atomic_load_explicit (&ready, RECEIVE)) {
    FENCE;
    int d = atomic_load_explicit (&data, memory_order_relaxed);
    assert (d == 42); // @A
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
