// verdict: rc11 pass
// verdict: tso pass
// verdict[-DN=3]: rc11 pass
// verdict[-DN=3 -DWRITERS=2]: rc11 pass
// finding[-DBUG=1]: rc11 race write|read
// finding[-DBUG=2]: rc11 race write|read
// finding[-DBUG=2]: rc11 assert torn
// finding[-DBUG=3]: rc11 race write|read
// finding[-DBUG=3]: rc11 assert torn
// fix[-DBUG=1]: rc11 bug1
// fix[-DBUG=2]: rc11 bug2
// fix[-DBUG=3 --edits --help-time=55]: rc11 bug3
// blame[-DBUG=3]: sc bug3
//
// The reader-writer spinlock of older Linux kernels: the word starts at BIAS, a reader takes one, a
// writer takes all of it. Who takes too much gives it back and waits for a better moment. Readers
// run in parallel, a writer alone.
//
// BUG 1: a reader leaves without ordering its reads before that; the next writer overtakes them.
// BUG 2: a writer leaves without publishing what it wrote.
// BUG 3: a writer only checks that no other writer is inside.

#include "structures.h"

#ifndef WRITERS
#define WRITERS 1
#endif

#define BIAS 0x100000

static atomic_int word = BIAS;
static int a, b;

static void read_lock (void) {
  while (atomic_fetch_sub_explicit (&word, 1, memory_order_acquire) <= 0) {
    atomic_fetch_add_explicit (&word, 1, memory_order_relaxed);
    while (atomic_load_explicit (&word, memory_order_relaxed) <= 0) {
    }
  }
}

static void read_unlock (void) { atomic_fetch_add_explicit (&word, 1, ORDER (release, 1)); } // @bug1

static bool may_write (int before) { return BUG == 3 ? before > 0 : before == BIAS; } // @bug3

static void write_lock (void) {
  while (!may_write (atomic_fetch_sub_explicit (&word, BIAS, memory_order_acquire))) { // @bug3
    atomic_fetch_add_explicit (&word, BIAS, memory_order_relaxed);
    while (!may_write (atomic_load_explicit (&word, memory_order_relaxed))) {
    }
  }
}

static void write_unlock (void) { atomic_fetch_add_explicit (&word, BIAS, ORDER (release, 2)); } // @bug2

static void *reader (void *arg) {
  read_lock ();
  int x = a, y = b; // @read
  assert (x == y);  // @torn
  read_unlock ();
  return arg;
}

static void *writer (void *arg) {
  write_lock ();
  a++; // @write
  b++; // @write
  write_unlock ();
  return arg;
}

int main (void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) start (&t[i], i < WRITERS ? writer : reader, i);
  join (t, N);
  assert (a == WRITERS && b == WRITERS);
}
