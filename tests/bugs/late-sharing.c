// Under models that allow load buffering: that `late` is shared turns out in an execution in which g has stored y ahead of
// what it reads from x. Then what g does before that is no longer what it did.
// unsupported: imm freed while another thread uses it
// unsupported: armv8 freed while another thread uses it
// unsupported: power freed while another thread uses it
// unsupported: riscv freed while another thread uses it
// finding: rc11 race
// finding: xmm race
// finding: wkmo2 race
// finding: rc11 use-after-free
// finding: xmm use-after-free
// finding: wkmo2 use-after-free
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static _Atomic (int *) where;
static void *f (void *u) {
  int r = atomic_load_explicit (&y, memory_order_relaxed);
  int *p = atomic_load_explicit (&where, memory_order_relaxed);
  if (r == 1 && p) {
    *p = 1;
    atomic_store_explicit (&x, 7, memory_order_relaxed);
  }
  return u;
}
static void *g (void *u) {
  int late = 0;
  atomic_store_explicit (&where, &late, memory_order_relaxed);
  late = atomic_load_explicit (&x, memory_order_relaxed);
  atomic_store_explicit (&y, 1, memory_order_relaxed);
  return u;
}
int main (void) {
  pthread_t a, b;
  pthread_create (&a, 0, f, 0);
  pthread_create (&b, 0, g, 0);
  pthread_join (a, 0);
  pthread_join (b, 0);
}
