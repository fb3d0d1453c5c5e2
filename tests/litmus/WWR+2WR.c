// WWR+2WR: sc accesses leave no execution in which every assumption holds.
// expect: sc 0, tso 0, pso 0, sra 2, ra 2, rc11 0, rc20 0, wrc11 1
// expect: jam19 0, jam21 0, jam21t 0
// expect[--reduce=none]: sc 0/13, tso 0/13, pso 0/13, sra 2/22, ra 2/22, rc11 0/13, rc20 0/13, wrc11 1/9
#include <pthread.h>
#include <stdatomic.h>

void __VERIFIER_assume (int);

static atomic_int x, y, z;

static void *thread0 (void *unused) {
  atomic_store_explicit (&x, 1, memory_order_seq_cst);
  atomic_store_explicit (&y, 1, memory_order_seq_cst);
  int r0 = atomic_load_explicit (&z, memory_order_seq_cst);
  __VERIFIER_assume (r0 == 0);
  return NULL;
}

static void *thread1 (void *unused) {
  atomic_store_explicit (&z, 1, memory_order_seq_cst);
  int r0 = atomic_load_explicit (&y, memory_order_seq_cst);
  __VERIFIER_assume (r0 == 2);
  return NULL;
}

static void *thread2 (void *unused) {
  atomic_store_explicit (&y, 2, memory_order_seq_cst);
  int r0 = atomic_load_explicit (&x, memory_order_seq_cst);
  __VERIFIER_assume (r0 == 0);
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
