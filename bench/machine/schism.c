/* The copy phase of a collector in the manner of Schism [Schism-PLDI'10]: what is moved are the
 * spines of arrays, which hold the places of fragments and never change; fragments stay where they
 * are. So no copy can miss an update, provided that who is told of the new spine sees all of it,
 * and that nobody uses the old one any more when it is given up.
 *
 * Two mutators, each with an element of its own, which it writes and reads in either order; one
 * collector, which tells each of them of the new spine, waits for their answers, and in the end for
 * them to be done. Threads look at nothing but their own registers to judge: the collector returns
 * what it finds through the new spine, and a mutator what it wrote last.
 * BUG: 1 the new spine is announced before it is written, 2 the old spine is given up without
 * waiting for the answers, 3 a mutator answers and uses the old spine once more. */
// verdict: mca pass
// verdict: non-mca pass
// verdict: share pass
// verdict[--breadth-first]: non-mca pass
// finding[-DBUG=1]: mca assert lost
// finding[-DBUG=1]: non-mca assert lost
// finding[-DBUG=1]: share assert lost
// finding[-DBUG=2]: non-mca assert lost
// finding[-DBUG=3]: non-mca assert lost
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

enum { LOST = 0, DONE = 2 };
static _Atomic int fragment[3];                         /* 1, 2: of the mutators */
static _Atomic int old_spine[2] = {1, 2}, new_spine[2]; /* numbers of fragments */
static _Atomic int moved[2], answer[2];                 /* to and from the mutators */

static int find (int me) {
  int has_moved = atomic_load_explicit (&moved[me], memory_order_acquire);
  _Atomic int *spine = has_moved ? new_spine : old_spine;
#if BUG == 3
  if (has_moved) atomic_store_explicit (&answer[me], 1, memory_order_release);
  spine = old_spine;
#endif
  int at = atomic_load_explicit (&spine[me], memory_order_relaxed);
  assert (at != LOST); // @lost
#if BUG != 3
  if (has_moved) atomic_store_explicit (&answer[me], 1, memory_order_release);
#endif
  return at;
}

static void write_element (int me, int value) {
  atomic_store_explicit (&fragment[find (me)], value, memory_order_relaxed);
}

static int read_element (int me) {
  return atomic_load_explicit (&fragment[find (me)], memory_order_relaxed);
}

static void *mutator (void *arg) {
  int me = (int)(intptr_t)arg, last = 0;
  for (int round = 1; round <= ROUNDS; round++) {
    if (FLOW) {
      assert (read_element (me) == last);
      write_element (me, last = round);
    } else {
      write_element (me, last = round);
      assert (read_element (me) == last);
    }
  }
  atomic_store_explicit (&answer[me], DONE, memory_order_release);
  return (void *)(intptr_t)last;
}

static void await_answers (int wanted) {
  for (int i = 0; i < 2; i++)
    while (atomic_load_explicit (&answer[i], memory_order_acquire) < wanted);
}

static void *collector (void *arg) {
  int found[2];
  (void)arg;
  for (int i = 0; i < 2; i++) {
    if (BUG == 1) atomic_store_explicit (&moved[i], 1, memory_order_relaxed);
    int at = atomic_load_explicit (&old_spine[i], memory_order_relaxed);
    atomic_store_explicit (&new_spine[i], at, memory_order_relaxed);
    if (BUG != 1) atomic_store_explicit (&moved[i], 1, memory_order_release);
  }
  if (BUG != 2) await_answers (1);
  for (int i = 0; i < 2; i++) atomic_store_explicit (&old_spine[i], LOST, memory_order_relaxed);
  await_answers (DONE);
  for (int i = 0; i < 2; i++) {
    int at = atomic_load_explicit (&new_spine[i], memory_order_relaxed);
    found[i] = atomic_load_explicit (&fragment[at], memory_order_relaxed);
  }
  return (void *)(intptr_t)(found[0] + 16 * found[1]);
}

int main (void) {
  pthread_t c, m[2];
  void *found, *last[2];
  pthread_create (&c, 0, collector, 0);
  for (intptr_t i = 0; i < 2; i++) pthread_create (&m[i], 0, mutator, (void *)i);
  pthread_join (c, &found);
  for (int i = 0; i < 2; i++) pthread_join (m[i], &last[i]);
  assert ((intptr_t)found == (intptr_t)last[0] + 16 * (intptr_t)last[1]); /* no update is lost */
  return 0;
}
