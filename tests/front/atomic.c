// Every kind of atomic access, with its order.
// ir: store\.4 rlx
// ir: store\.4 rel
// ir: store\.4 sc
// ir: load\.4 acq
// ir: load\.8 sc
// ir: rmw\.4\.add acq_rel
// ir: rmw\.4\.sub rlx
// ir: rmw\.1\.xchg acq
// ir: rmw\.8\.umax sc
// ir: rmw\.4\.nand sc
// ir: cas\.4 acq_rel acq
// ir: cas\.4 rlx rlx .*weak
// ir: cas\.8 sc sc
// ir: fence acq_rel
// ir: fence sc
// ir: load\.4 na .*volatile
// run: pass
#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_int x;
static _Atomic (int *) p;
static atomic_ulong big;
static unsigned long most;
static atomic_flag flag = ATOMIC_FLAG_INIT;
static volatile int v;
static int plain;
static _Atomic struct Two { int a, b; } two;

int main (void) {
  atomic_store_explicit (&x, 1, memory_order_relaxed);
  atomic_store_explicit (&x, 2, memory_order_release);
  x = 3;
  assert (atomic_load_explicit (&x, memory_order_acquire) == 3);
  assert (atomic_load_explicit (&x, memory_order_consume) == 3);
  assert (atomic_fetch_add_explicit (&x, 4, memory_order_acq_rel) == 3);
  assert (atomic_fetch_sub_explicit (&x, 2, memory_order_relaxed) == 7);
  assert (x++ == 5 && --x == 5 && (x |= 8) == 13);
  assert (!atomic_flag_test_and_set_explicit (&flag, memory_order_acquire));
  atomic_flag_clear (&flag);
  p = &plain;
  assert (p == &plain);
  int *expected_p = &plain;
  assert (atomic_compare_exchange_strong (&p, &expected_p, 0));
  int e = 13;
  assert (atomic_compare_exchange_strong_explicit (&x, &e, 20, memory_order_acq_rel,
                                                   memory_order_acquire));
  e = 1;
  assert (!atomic_compare_exchange_strong (&x, &e, 20) && e == 20);
  while (!atomic_compare_exchange_weak_explicit (&x, &e, 21, memory_order_relaxed,
                                                 memory_order_relaxed))
    continue;
  assert (x == 21);
  assert (__atomic_fetch_max (&most, 5ul, __ATOMIC_SEQ_CST) == 0 && most == 5 && big == 0);
  assert (__atomic_fetch_nand (&plain, 1, __ATOMIC_SEQ_CST) == 0 && plain == -1);
  plain = 0;
  assert (__sync_fetch_and_add (&plain, 5) == 0 && __sync_bool_compare_and_swap (&plain, 5, 6));
  assert (__sync_val_compare_and_swap (&plain, 6, 7) == 6 && __sync_lock_test_and_set (&plain, 1) == 7);
  __sync_synchronize ();
  __sync_lock_release (&plain);
  atomic_thread_fence (memory_order_acq_rel);
  atomic_signal_fence (memory_order_seq_cst);
  v = 4;
  assert (v == 4);
  struct Two t = {1, 2}, read;
  atomic_store (&two, t);
  read = atomic_load (&two);
  assert (read.b == 2);
  assert (atomic_is_lock_free (&x));
  return 0;
}
