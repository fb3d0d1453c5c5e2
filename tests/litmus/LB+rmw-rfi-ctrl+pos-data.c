// LB+rmw-rfi-ctrl+pos-data: on ARMv8 a plain load of what an update of its own thread stores is not
// ordered behind the load of that update, so the second thread's first load may see what the third
// stores in answer to the second's own store.
// expect: sc 10/0, rc11 12/0, imm 13/0, armv8 13/0, riscv 10/0, power 12/0
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void *thread0 (void *unused) {
  atomic_store_explicit (&y, 1, memory_order_relaxed);
  return unused;
}

static void *thread1 (void *unused) {
  (void)atomic_load_explicit (&y, memory_order_relaxed);
  int r = atomic_load_explicit (&y, memory_order_relaxed);
  atomic_store_explicit (&x, r, memory_order_relaxed);
  return unused;
}

static void *thread2 (void *unused) {
  (void)atomic_fetch_add_explicit (&x, 1, memory_order_relaxed);
  int r = atomic_load_explicit (&x, memory_order_relaxed);
  if (r != 1) atomic_store_explicit (&y, 1, memory_order_relaxed);
  return unused;
}

int main (void) {
  pthread_t t[3];
  pthread_create (&t[0], NULL, thread0, NULL);
  pthread_create (&t[1], NULL, thread1, NULL);
  pthread_create (&t[2], NULL, thread2, NULL);
  for (int i = 0; i < 3; i++) pthread_join (t[i], NULL);
  return 0;
}
