// psc-ar: sc fences order nothing through a relaxed relay.
// expect: sc 0, tso 0, pso 0, sra 0, ra 0, rc11 1, rc20 1, wrc11 1
// expect: jam19 0, jam21 0, jam21t 0
// expect[--reduce=none]: sc 0/3, tso 0/3, pso 0/3, sra 0/3, ra 0/3, rc11 1/3, rc20 1/3, wrc11 1/3
#include <pthread.h>
#include <stdatomic.h>

void __VERIFIER_assume (int);

static atomic_int x, y, z;

static void *thread0 (void *unused) {
  int r0 = atomic_load_explicit (&y, memory_order_relaxed);
  __VERIFIER_assume (r0 == 1);
  atomic_thread_fence (memory_order_seq_cst);
  int r1 = atomic_load_explicit (&z, memory_order_relaxed);
  __VERIFIER_assume (r1 == 0);
  return NULL;
}

static void *thread1 (void *unused) {
  atomic_store_explicit (&z, 1, memory_order_relaxed);
  atomic_thread_fence (memory_order_seq_cst);
  atomic_store_explicit (&x, 1, memory_order_relaxed);
  return NULL;
}

static void *thread2 (void *unused) {
  int r2 = atomic_load_explicit (&x, memory_order_relaxed);
  if (r2 == 1) {
    atomic_store_explicit (&y, 1, memory_order_relaxed);
  }
  __VERIFIER_assume (r2 == 1);
  return NULL;
}

int main (void) {
  pthread_t t[3];

  pthread_create (&t[0], NULL, thread0, NULL);
  pthread_create (&t[1], NULL, thread1, NULL);
  pthread_create (&t[2], NULL, thread2, NULL);
  pthread_join (t[0], NULL);
  pthread_join (t[1], NULL);
  pthread_join (t[2], NULL);
  return 0;
}
