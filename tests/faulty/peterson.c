// Peterson's lock on processors with faults: docs/FAULTY.md. With seq_cst accesses, or with FENCES.
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
// verdict: sc pass
// finding[-DRELAXED]: mcm/weak.mcm assert A
// verdict[-DRELAXED]: mcm/sc.mcm pass
// finding[-DRELAXED]: mcm/tso.mcm assert A
// verdict[-DFENCES]: mcm/weak.mcm pass
// verdict[-DFENCES]: mcm/tso.mcm pass
// verdict[-DFENCES]: mcm/weak-a9.mcm pass
// finding[-DRELAXED]: mcm/weak-a9.mcm assert A
// finding[-DFENCES]: mcm/nofence.mcm assert A
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef FENCES
#define FENCE atomic_thread_fence (memory_order_seq_cst)
#else
#define FENCE
#endif
#if defined FENCES || defined RELAXED
#define ORDER memory_order_relaxed
#else
#define ORDER memory_order_seq_cst
#endif

atomic_int wants[2], turn, count;

void lock (int me) {
  int other = !me;
  atomic_store_explicit (&wants[me], 1, ORDER);
  FENCE;
  atomic_store_explicit (&turn, other, ORDER);
  FENCE;
  while (atomic_load_explicit (&wants[other], ORDER) &&
         atomic_load_explicit (&turn, ORDER) == other) {
  }
  FENCE;
}

void unlock (int me) {
  FENCE;
  atomic_store_explicit (&wants[me], 0, ORDER);
}

void *thread (void *arg) {
  int me = arg != NULL;
  lock (me);
  int before = atomic_load_explicit (&count, memory_order_relaxed);
  atomic_store_explicit (&count, before + 1, memory_order_relaxed);
  unlock (me);
  return NULL;
}

int main (void) {
  pthread_t a, b;
  pthread_create (&a, NULL, thread, NULL);
  pthread_create (&b, NULL, thread, &turn);
  pthread_join (a, NULL);
  pthread_join (b, NULL);
  assert (count == 2); // @A
  return 0;
}
