// psc-base-notin-ar: sc stores of one location and relaxed reads between them.
// expect: sc 1, tso 1, pso 1, sra 1, ra 1, rc11 2, rc20 2, wrc11 1
// expect: jam19 2, jam21 2, jam21t 2
// expect[--reduce=none]: sc 1/2, tso 1/2, pso 1/2, sra 1/2, ra 1/2, rc11 2/2, rc20 2/2, wrc11 1/2
#include <pthread.h>
#include <stdatomic.h>

void __VERIFIER_assume (int);

static atomic_int x, y;

static void *thread0 (void *unused) {
  int r0 = atomic_load_explicit (&x, memory_order_relaxed);
  __VERIFIER_assume (r0 == 2);
  atomic_store_explicit (&y, 1, memory_order_seq_cst);
  return NULL;
}

static void *thread1 (void *unused) {
  atomic_store_explicit (&y, 2, memory_order_seq_cst);
  return NULL;
}

static void *thread2 (void *unused) {
  int r1 = atomic_load_explicit (&y, memory_order_relaxed);
  __VERIFIER_assume (r1 == 2);
  atomic_store_explicit (&x, r1, memory_order_relaxed);
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
