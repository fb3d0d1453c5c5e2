// expect: rc11 27
// verdict: tso pass
// finding[-DBUG=1]: rc11 race fill|use
// finding[-DBUG=1]: rc11 assert order
// finding[-DBUG=2]: rc11 race fill|use
// finding[-DBUG=3]: rc11 race fill|use
// finding[-DBUG=3]: rc11 assert order
// finding[-DBUG=3]: sc race fill|use
// finding[-DBUG=3]: sc assert order
// verdict[-DBUG=1]: tso pass
// fix[-DBUG=1]: rc11 bug1
// fix[-DBUG=2]: rc11 bug2
// fix[-DBUG=3 --edits --help-time=55]: rc11 bug3
// blame[-DBUG=3]: sc bug3
//
// A ring between one producer and one consumer: each owns one index and only reads the other's.
// Both wait if they cannot go on. Values arrive in order, once.
//
// BUG 1: the producer moves its index without publishing the value.
// BUG 2: the consumer gives the slot back before it has certainly read it.
// BUG 3: the producer does not look whether the ring is full.

#include "structures.h"

enum { SIZE = 2, VALUES = 4 };

static int ring[SIZE];
static atomic_int head, tail;

static void put (int value) {
  int at = atomic_load_explicit (&tail, memory_order_relaxed);
  while (BUG != 3 && at - atomic_load_explicit (&head, memory_order_acquire) == SIZE) { // @bug3
  }
  ring[at % SIZE] = value; // @fill
  atomic_store_explicit (&tail, at + 1, ORDER (release, 1)); // @bug1
}

static int get (void) {
  int at = atomic_load_explicit (&head, memory_order_relaxed);
  while (atomic_load_explicit (&tail, memory_order_acquire) == at) {
  }
  int value = ring[at % SIZE]; // @use
  atomic_store_explicit (&head, at + 1, ORDER (release, 2)); // @bug2
  return value;
}

static void *producer (void *arg) {
  for (int k = 1; k <= VALUES; k++) put (k);
  return arg;
}

static void *consumer (void *arg) {
  for (int k = 1; k <= VALUES; k++) {
    int value = get ();
    assert (value == k); // @order
  }
  return arg;
}

int main (void) {
  pthread_t t[2];
  start (&t[0], producer, 0);
  start (&t[1], consumer, 1);
  join (t, 2);
}
