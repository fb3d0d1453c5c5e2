// expect: rc11 3, sc 3, tso 3
// expect[-DN=3]: rc11 34
// verdict[-DN=3]: tso pass
// verdict[-DN=3 -DWRITERS=2]: rc11 pass
// finding[-DBUG=1]: rc11 race write|read
// finding[-DBUG=2]: rc11 race write|read
// finding[-DBUG=2]: rc11 assert torn
// finding[-DN=3 -DBUG=3]: rc11 race write|read
// finding[-DN=3 -DBUG=3]: rc11 assert torn
// fix[-DBUG=1]: rc11 bug1
// fix[-DBUG=2]: rc11 bug2
// fix[-DN=3 -DBUG=3]: rc11 bug3, sc bug3
//
// A reader-writer lock in one word: the number of readers inside, or -1 for a writer. Readers run
// in parallel, a writer alone.
//
// BUG 1: a reader leaves without ordering its reads before that; the next writer overtakes them.
// BUG 2: a writer leaves without publishing what it wrote.
// BUG 3: every reader that leaves declares the lock free, although others may still be inside.

#include "structures.h"

#ifndef WRITERS
#define WRITERS 1
#endif

static atomic_int inside;
static int a, b;

static void read_lock (void) {
  for (;;) {
    int now = atomic_load_explicit (&inside, memory_order_relaxed);
    if (now >= 0 && atomic_compare_exchange_strong_explicit (
                        &inside, &now, now + 1, memory_order_acquire, memory_order_relaxed))
      return;
  }
}

static void read_unlock (void) {
  if (BUG == 3)
    atomic_store_explicit (&inside, 0, memory_order_release); // @bug3
  else
    atomic_fetch_sub_explicit (&inside, 1, ORDER (release, 1)); // @bug1
}

static void write_lock (void) {
  for (int free = 0; !atomic_compare_exchange_strong_explicit (
           &inside, &free, -1, memory_order_acquire, memory_order_relaxed);)
    free = 0;
}

static void write_unlock (void) { atomic_store_explicit (&inside, 0, ORDER (release, 2)); } // @bug2

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
