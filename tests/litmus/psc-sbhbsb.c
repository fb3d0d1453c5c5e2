// psc-sbhbsb: an acquire load may see an sc store whose successor is not yet visible.
// expect: sc 1, tso 1, pso 1, sra 1, ra 1, rc11 1, rc20 1, wrc11 1
// expect: jam19 1, jam21 1, jam21t 1
// expect[--reduce=none]: sc 1/2, tso 1/2, pso 1/2, sra 1/2, ra 1/2, rc11 1/2, rc20 1/2, wrc11 1/2
#include <pthread.h>
#include <stdatomic.h>

void __VERIFIER_assume (int);

static atomic_int x, y;

static void *thread0 (void *unused) {
  atomic_store_explicit (&x, 1, memory_order_seq_cst);
  atomic_store_explicit (&y, 1, memory_order_seq_cst);
  return NULL;
}

static void *thread1 (void *unused) {
  int r0 = atomic_load_explicit (&x, memory_order_acquire);
  __VERIFIER_assume (r0 == 1);
  int r1 = atomic_load_explicit (&y, memory_order_seq_cst);
  __VERIFIER_assume (r1 == 0);
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
