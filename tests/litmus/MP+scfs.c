// MP+scfs: sc fences work as release and acquire fences. This is mp of [Bajczi'20].
// expect: sc 3/0, tso 3/0, pso 3/0, sra 3/0, ra 3/0, rc11 3/0, rc20 3/0, wrc11 3/0
// expect: mcm/weak.mcm 3/0, mcm/tso.mcm 3/0, mcm/sc.mcm 3/0, mcm/nofence.mcm 4/0, mcm/weak-a9.mcm 3/0
// expect: mcm/printed/weak.mcm 2/0, mcm/printed/tso.mcm 2/0, mcm/printed/sc.mcm 2/0, mcm/printed/weak-a9.mcm 2/0, mcm/printed/nofence.mcm 4/0
// expect: jam19 3, jam21 3, jam21t 3
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void *thread0 (void *unused) {
  atomic_store_explicit (&x, 1, memory_order_relaxed);
  atomic_thread_fence (memory_order_seq_cst);
  atomic_store_explicit (&y, 1, memory_order_relaxed);
  return NULL;
}

static void *thread1 (void *unused) {
  atomic_load_explicit (&y, memory_order_relaxed);
  atomic_thread_fence (memory_order_seq_cst);
  atomic_load_explicit (&x, memory_order_relaxed);
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
