// verdict: imm pass
// verdict: armv8 pass
// verdict: power pass
// verdict: riscv pass
// verdict: rc11 pass
// verdict: tso pass
// verdict[-DN=3]: rc11 pass
// verdict[-DUPDATES=2]: rc11 pass
// finding[-DBUG=1]: rc11 use-after-free use|free
// finding[-DBUG=1]: tso use-after-free use|free
// verdict[-DBUG=1]: sc pass
// finding[-DBUG=2]: rc11 use-after-free use|free
// finding[-DBUG=2]: sc use-after-free use|free
// finding[-DBUG=3]: rc11 use-after-free use|free
// finding[-DUPDATES=2 -DBUG=4]: rc11 use-after-free use|free
// finding[-DUPDATES=2 -DBUG=4]: sc use-after-free use|free
// fix[-DBUG=1]: rc11 bug1
// fix[-DBUG=1]: tso bug1
// fix[-DBUG=2 --edits --help-time=55]: rc11 bug2
// blame[-DBUG=2]: sc bug2
// fix[-DBUG=3]: rc11 bug3
// fix[-DUPDATES=2 -DBUG=4 --edits --help-time=55]: rc11 bug4
// blame[-DUPDATES=2 -DBUG=4]: sc bug4
//
// Read-copy-update in user space: readers announce the phase in which they began, and pay one fence
// for it. Who replaces the data waits until every reader that may have seen the old version has
// left; then nobody has it, and it can be freed. A reader may have read the phase long before it
// announces it, therefore the writer changes the phase and waits twice.
//
// One writer, N - 1 readers.
//
// BUG 1: the reader has no fence between announcing itself and reading the pointer.
// BUG 2: the writer does not wait for the readers.
// BUG 3: a reader leaves without ordering its reads before that.
// BUG 4: the writer changes the phase once; after the second update a reader that has read its
// phase
//        before the first one looks new.

#include "structures.h"

#ifndef UPDATES
#define UPDATES 1
#endif

enum { INSIDE = 1, PHASE = 2 };

static _Atomic (int *) current;
static atomic_int phase, readers[N];

static void read_lock (int i) {
  int now = atomic_load_explicit (&phase, memory_order_relaxed);
  atomic_store_explicit (&readers[i], INSIDE | now, memory_order_relaxed);
  if (BUG != 1) atomic_thread_fence (memory_order_seq_cst); // @bug1
}

static void read_unlock (int i) { atomic_store_explicit (&readers[i], 0, ORDER (release, 3)); } // @bug3

/* Readers that have announced the new phase began after the change of phase. */
static void wait_for_readers (int now) {
  for (int i = 1; i < N; i++)
    for (int r;;) {
      r = atomic_load_explicit (&readers[i], memory_order_acquire);
      if (!(r & INSIDE) || (r & PHASE) == now) break;
    }
}

static void synchronize (void) {
  atomic_thread_fence (memory_order_seq_cst);
  for (int k = 0; k < (BUG == 4 ? 1 : 2); k++) { // @bug4
    int now = atomic_load_explicit (&phase, memory_order_relaxed) ^ PHASE;
    atomic_store_explicit (&phase, now, memory_order_relaxed);
    atomic_thread_fence (memory_order_seq_cst);
    if (BUG != 2) wait_for_readers (now); // @bug2
  }
  atomic_thread_fence (memory_order_seq_cst);
}

static int *make (int value) {
  int *p = malloc (sizeof *p);
  if (!p) abort ();
  *p = value;
  return p;
}

static void *writer (void *arg) {
  for (int k = 1; k <= UPDATES; k++) {
    int *old = atomic_exchange_explicit (&current, make (k), memory_order_acq_rel);
    synchronize ();
    free (old); // @free
  }
  return arg;
}

static void *reader (void *arg) {
  int i = number (arg);
  read_lock (i);
  int *p = atomic_load_explicit (&current, memory_order_acquire);
  int value = *p; // @use
  assert (value >= 0 && value <= UPDATES);
  read_unlock (i);
  return NULL;
}

int main (void) {
  pthread_t t[N];
  atomic_init (&current, make (0));
  for (int i = 0; i < N; i++) start (&t[i], i ? reader : writer, i);
  join (t, N);
  free (current);
}
