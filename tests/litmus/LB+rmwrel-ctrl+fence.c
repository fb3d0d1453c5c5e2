// LB+rmwrel-ctrl+fence: what is before a releasing update is before its write; what depends on its
// read is not behind that. On RISC-V it is, unless the update is made by LR/SC: an AMO is one operation.
// expect: sc 3/0, rc11 3/0, imm 4/0, armv8 4/0, riscv 3/0, power 3/0
// expect[--mapping=riscv-lrsc]: riscv 4/0
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y, z;
static volatile int seen;

static void *thread0 (void *unused) {
  (void)atomic_load_explicit (&y, memory_order_relaxed);
  if (atomic_fetch_add_explicit (&z, 1, memory_order_release) == 1) seen = 1;
  atomic_store_explicit (&x, 1, memory_order_relaxed);
  return NULL;
}

static void *thread1 (void *unused) {
  (void)atomic_load_explicit (&x, memory_order_relaxed);
  atomic_thread_fence (memory_order_acquire);
  atomic_store_explicit (&y, 1, memory_order_relaxed);
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
