// fences: sc accesses compiled with trailing barriers only, written with fences: x is seen to be 1, then 2.
// expect: sc 0, rc11 1, rc20 1, wrc11 1
// expect: jam19 1, jam21 1, jam21t 1
// expect[--reduce=none]: sc 0/14, rc11 1/17, rc20 1/17, wrc11 1/11
#include <pthread.h>
#include <stdatomic.h>

void __VERIFIER_assume (int);

static atomic_int x, y;

static void *thread0 (void *unused) {
  atomic_store_explicit (&x, 2, memory_order_relaxed);
  atomic_thread_fence (memory_order_seq_cst);
  __VERIFIER_assume (atomic_load_explicit (&y, memory_order_relaxed) == 0);
  return NULL;
}

static void *thread1 (void *unused) {
  atomic_store_explicit (&y, 1, memory_order_relaxed);
  return NULL;
}

static void *thread2 (void *unused) {
  __VERIFIER_assume (atomic_load_explicit (&y, memory_order_relaxed) == 1);
  atomic_store_explicit (&x, 1, memory_order_relaxed);
  return NULL;
}

static void *thread3 (void *unused) {
  __VERIFIER_assume (atomic_load_explicit (&x, memory_order_relaxed) == 1);
  atomic_thread_fence (memory_order_seq_cst);
  __VERIFIER_assume (atomic_load_explicit (&x, memory_order_relaxed) == 2);
  return NULL;
}

int main (void) {
  pthread_t t[4];

  atomic_store_explicit (&x, 0, memory_order_relaxed);
  atomic_store_explicit (&y, 0, memory_order_relaxed);
  pthread_create (&t[0], NULL, thread0, NULL);
  pthread_create (&t[1], NULL, thread1, NULL);
  pthread_create (&t[2], NULL, thread2, NULL);
  pthread_create (&t[3], NULL, thread3, NULL);
  return 0;
}
