/* The copy phase of a collector in the manner of Sapphire [Sapphire-2003]: while an object is
 * copied, mutators go on writing to it, to both copies. The collector copies a field by a
 * compare-exchange on what it has found in the new copy, so that it does not overwrite what a
 * mutator has written there meanwhile.
 *
 * Two mutators, each with a field of its own, which it writes and reads in either order; one
 * collector, which leads each of them from the old copy to both to the new one, and waits at every
 * step until they have followed. The new copy is written by updates, because without coherence
 * memories need not agree on the order of a store and an update. Threads look at nothing but their
 * own registers to judge: the collector returns what it finds in the new copy in the end, and a
 * mutator what it wrote last.
 * BUG: 1 the write to the new copy does not wait for the one to the old copy, 2 the collector
 * copies by a plain store, 3 mutators follow without handing over what they wrote before,
 * 4 the collector looks at the old copy first. */
// verdict: mca pass
// verdict: non-mca pass
// verdict: share pass
// verdict[--breadth-first]: non-mca pass
// finding[-DBUG=1]: mca assert lost
// finding[-DBUG=1]: non-mca assert lost
// finding[-DBUG=1]: share assert lost
// finding[-DBUG=2]: non-mca assert lost
// finding[-DBUG=3]: non-mca assert lost
// finding[-DBUG=4]: non-mca assert lost
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef BUG
#define BUG 0
#endif
#ifndef ROUNDS
#define ROUNDS 2
#endif
#ifndef FLOW /* 1: read, then write; 0: write, then read */
#define FLOW __VERIFIER_nondet_bool ()
#endif

enum { OLD, BOTH, NEW, DONE };
static _Atomic int old_copy[2], new_copy[2] = {-1, -1};
static _Atomic int phase[2], follows[2]; /* to and from the mutators */

static int safe_point (int me) {
  int now = atomic_load_explicit (&phase[me], memory_order_acquire);
  atomic_store_explicit (&follows[me], now, BUG == 3 ? memory_order_relaxed : memory_order_release);
  return now;
}

static void write_field (int me, int now, int value) {
  if (now != NEW) atomic_store_explicit (&old_copy[me], value, memory_order_relaxed);
  if (now != OLD)
    atomic_exchange_explicit (&new_copy[me], value,
                              BUG == 1 ? memory_order_relaxed : memory_order_acq_rel);
}

static int read_field (int me, int now) {
  return atomic_load_explicit (now == NEW ? &new_copy[me] : &old_copy[me], memory_order_relaxed);
}

static void *mutator (void *arg) {
  int me = (int)(intptr_t)arg, last = 0;
  for (int round = 1; round <= ROUNDS; round++) {
    int now = safe_point (me);
    if (FLOW) {
      assert (read_field (me, now) == last);
      write_field (me, now, last = round);
    } else {
      write_field (me, now, last = round);
      assert (read_field (me, now) == last);
    }
  }
  atomic_store_explicit (&follows[me], DONE, /* touches the object no more */
                         BUG == 3 ? memory_order_relaxed : memory_order_release);
  return (void *)(intptr_t)last;
}

static void enter (int next) {
  for (int i = 0; i < 2 && next != DONE; i++)
    atomic_store_explicit (&phase[i], next, memory_order_release);
  for (int i = 0; i < 2; i++)
    while (atomic_load_explicit (&follows[i], memory_order_acquire) < next);
}

static void copy_field (int i) {
#if BUG == 2
  atomic_store_explicit (&new_copy[i], atomic_load_explicit (&old_copy[i], memory_order_relaxed),
                         memory_order_relaxed);
#else
  int found, value;
  do {
#if BUG == 4
    value = atomic_load_explicit (&old_copy[i], memory_order_acquire);
    found = atomic_load_explicit (&new_copy[i], memory_order_acquire);
#else
    found = atomic_load_explicit (&new_copy[i], memory_order_acquire);
    value = atomic_load_explicit (&old_copy[i], memory_order_acquire);
#endif
  } while (found != value &&
           !atomic_compare_exchange_strong_explicit (&new_copy[i], &found, value,
                                                     memory_order_acq_rel, memory_order_acquire));
#endif
}

static void *collector (void *arg) {
  int found[2];
  (void)arg;
  enter (BOTH);
  for (int i = 0; i < 2; i++) copy_field (i);
  enter (NEW);
  enter (DONE);
  for (int i = 0; i < 2; i++) found[i] = atomic_load_explicit (&new_copy[i], memory_order_relaxed);
  return (void *)(intptr_t)(found[0] + 16 * found[1]);
}

int main (void) {
  pthread_t c, m[2];
  void *found, *last[2];
  pthread_create (&c, 0, collector, 0);
  for (intptr_t i = 0; i < 2; i++) pthread_create (&m[i], 0, mutator, (void *)i);
  pthread_join (c, &found);
  for (int i = 0; i < 2; i++) pthread_join (m[i], &last[i]);
  assert ((intptr_t)found == (intptr_t)last[0] + 16 * (intptr_t)last[1]); // @lost
  return 0;
}
