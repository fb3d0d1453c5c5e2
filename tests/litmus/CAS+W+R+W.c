// CAS+W+R+W: a compare-exchange that can fail before a store to the same location, which does not
// depend on it.
// expect: sc 11/0, rc11 11/0, imm 11/0, armv8 11/0, riscv 11/0, power 11/0
#include <pthread.h>
#include <stdatomic.h>

static atomic_int z;

static void *thread0 (void *unused) {
  (void)atomic_load_explicit (&z, memory_order_relaxed);
  return NULL;
}

static void *thread1 (void *unused) {
  int expected = 0;
  (void)atomic_compare_exchange_strong_explicit (&z, &expected, 1, memory_order_relaxed,
                                                 memory_order_relaxed);
  atomic_store_explicit (&z, 1, memory_order_relaxed);
  return NULL;
}

static void *thread2 (void *unused) {
  atomic_store_explicit (&z, 1, memory_order_relaxed);
  return NULL;
}

int main (void) {
  pthread_t t[3];

  pthread_create (&t[0], NULL, thread0, NULL);
  pthread_create (&t[1], NULL, thread1, NULL);
  pthread_create (&t[2], NULL, thread2, NULL);
  for (int i = 0; i < 3; i++) pthread_join (t[i], NULL);
  return 0;
}
