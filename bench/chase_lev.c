// expect: rc11 3175, rc20 3639, wkmo2 3341, xmm 3815, imm 3175, tests/xmm/imm20.cat 3639
// slow: tests/xmm/imm20.cat
// cyclic: wkmo2 166, xmm 176
// expect[-DDQ]: rc11 1432, rc20 1924, wkmo2 1432, xmm 2025, imm 1432, tests/xmm/imm20.cat 1924
// cyclic[-DDQ]: xmm 101
//
// chase_lev: a work-stealing deque. Its owner pushes five items, pops three and pushes two; two
// thieves steal one each. With DQ (elsewhere a benchmark of its own) it pushes two, pops one,
// pushes one, and the first thief steals two. The items are plain, and race with the thieves.
// flags: --no-race

#include <stdatomic.h>
#include "threads.h"

#ifdef DQ
enum { BEFORE = 2, POPS = 1, AFTER = 1, STEALS = 2 };
#else
enum { BEFORE = 5, POPS = 3, AFTER = 2, STEALS = 1 };
#endif
enum { SLOTS = 10 };

static atomic_ulong bottom, top;
static long slot[SLOTS];

static void push (long item) {
  unsigned long b = atomic_load_explicit (&bottom, memory_order_relaxed);
  unsigned long t = atomic_load_explicit (&top, memory_order_acquire);
  if ((long)(b - t) >= SLOTS) return;
  slot[b % SLOTS] = item;
  atomic_store_explicit (&bottom, b + 1, memory_order_release);
}

static long pop (void) {
  unsigned long b = atomic_load_explicit (&bottom, memory_order_relaxed);
  atomic_store_explicit (&bottom, b - 1, memory_order_relaxed);
  atomic_thread_fence (memory_order_seq_cst);
  unsigned long t = atomic_load_explicit (&top, memory_order_relaxed);
  long size = (long)(b - t), item = -1;
  if (size > 0) item = slot[(b - 1) % SLOTS];
  if (size == 1)
    atomic_compare_exchange_strong_explicit (&top, &t, t + 1, memory_order_acq_rel,
                                             memory_order_acquire);
  if (size <= 1) atomic_store_explicit (&bottom, b, memory_order_relaxed);
  return item;
}

static void *owner (void *unused) {
  long item = 0;
  for (int i = 0; i < BEFORE; i++) push (++item);
  for (int i = 0; i < POPS; i++) pop ();
  for (int i = 0; i < AFTER; i++) push (++item);
  return NULL;
}

static void steal (void) {
  unsigned long t = atomic_load_explicit (&top, memory_order_relaxed);
  atomic_thread_fence (memory_order_seq_cst);
  unsigned long b = atomic_load_explicit (&bottom, memory_order_acquire);
  if ((long)(b - t) <= 0) return;
  (void)*(volatile long *)&slot[t % SLOTS];
  atomic_compare_exchange_strong_explicit (&top, &t, t + 1, memory_order_release,
                                           memory_order_relaxed);
}

static void *thief (void *arg) {
  for (int i = number (arg) == 1 ? STEALS : 1; i > 0; i--) steal ();
  return NULL;
}

int main (void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++) start (&t[i], i ? thief : owner, i);
  join (t, 3);
}
