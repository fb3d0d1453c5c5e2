// assume-ctrl: an assumption cuts executions off.
// expect: sc 4, tso 4, pso 4, sra 4, ra 4, rc11 4, rc20 4, wrc11 4
// expect: jam19 4, jam21 4, jam21t 4
// expect[--reduce=none]: sc 4/1, tso 4/1, pso 4/1, sra 4/1, ra 4/1, rc11 4/1, rc20 4/1, wrc11 4/1
#include <pthread.h>
#include <stdatomic.h>

void __VERIFIER_assume (int);

static atomic_int x, y;

static void *thread0 (void *unused) {
  int r0 = atomic_load_explicit (&y, memory_order_relaxed);
  if (2 <= r0) {
    int r1 = atomic_load_explicit (&y, memory_order_relaxed);
    __VERIFIER_assume (r1 > 3);
  }
  atomic_store_explicit (&x, 1, memory_order_relaxed);
  return NULL;
}

static void *thread1 (void *unused) {
  int r2 = atomic_load_explicit (&x, memory_order_relaxed);
  __VERIFIER_assume (r2 < 3);
  atomic_store_explicit (&y, 3, memory_order_relaxed);
  atomic_thread_fence (memory_order_seq_cst);
  atomic_store_explicit (&y, 4, memory_order_relaxed);
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
