// AMO: fetch-and-op instructions of RISC-V are single operations, load and store at one place in the order of memory.
// expect[-DSB -DO=acquire]: riscv 3/0
// expect[-DSB -DO={acq_rel,seq_cst}]: riscv 3/0
// expect[-DSB -DO={relaxed,release}]: riscv 4/0
// expect[-DSB -DO={relaxed,release,acquire} --mapping=riscv-lrsc]: riscv 4/0
// expect[-DR -DO={acquire,acq_rel,seq_cst}]: riscv 3/0
// expect[-DR -DO={relaxed,release}]: riscv 4/0
// expect[-DW -DO={acquire,acq_rel,seq_cst}]: riscv 3/0
// expect[-DW -DO={relaxed,release}]: riscv 4/0
// expect[-DLB -DO={release,acq_rel,seq_cst}]: riscv 3/0
// expect[-DLB -DO={relaxed,acquire}]: riscv 4/0
// expect[-DDATA -DO={acquire,acq_rel,seq_cst}]: riscv 3/0
// expect[-DDATA -DO={relaxed,release}]: riscv 4/0
// expect[-DDATA -DO={relaxed,release,acquire} --mapping=riscv-lrsc]: riscv 4/0
// expect[-DCTRL -DO={acquire,acq_rel,seq_cst}]: riscv 3/0
// expect[-DCTRL -DO={relaxed,release}]: riscv 4/0
// The store of an LSE instruction of ARMv8 that acquires and releases comes before all that follows; LDAXR and STLXR do not.
// expect[-DSB -DO={acq_rel,seq_cst} --mapping=armv8-lse]: armv8 3/0
// expect[-DSB -DO={relaxed,release,acquire} --mapping=armv8-lse]: armv8 4/0
// expect[-DSB -DO={relaxed,release,acquire,acq_rel,seq_cst}]: armv8 4/0
#include <pthread.h>
#include <stdatomic.h>

#define ORDER_OF(o) memory_order_##o
#define ORDER(o) ORDER_OF (o)
#define AMO(x, v) atomic_exchange_explicit (&x, v, ORDER (O))
#define LOAD(x) atomic_load_explicit (&x, memory_order_relaxed)
#define STORE(x, v) atomic_store_explicit (&x, v, memory_order_relaxed)

static atomic_int x, y, z;

static void *thread0 (void *unused) {
#if defined SB
  AMO (x, 1);
  LOAD (y);
#elif defined R || defined W
  AMO (x, 1);
  STORE (y, 1);
#elif defined LB
  LOAD (x);
  AMO (y, 1);
#else
  STORE (x, 1);
  atomic_store_explicit (&y, 1, memory_order_release);
#endif
  return NULL;
}

static void *thread1 (void *unused) {
#if defined SB
  AMO (y, 1);
  LOAD (x);
#elif defined R
  AMO (y, 2);
  LOAD (x);
#elif defined W
  AMO (y, 2);
  STORE (x, 2);
#elif defined LB
  LOAD (y);
  AMO (x, 1);
#elif defined DATA
  AMO (z, LOAD (y));
  LOAD (x);
#elif defined CTRL
  if (LOAD (y)) AMO (z, 1);
  LOAD (x);
#endif
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
