// expect: rc11 2
// verdict: tso pass
// expect[-DN=3]: rc11 6
// finding[-DBUG=1]: rc11 race fill|use
// finding[-DBUG=1]: rc11 assert value
// finding[-DBUG=2]: rc11 race fill|use
// finding[-DBUG=2]: rc11 assert value
// finding[-DN=3 -DBUG=3]: rc11 race fill
// fix[-DBUG=1]: rc11 bug1
// fix[-DBUG=2]: rc11 bug2
// fix[-DN=3 -DBUG=3]: rc11 bug3, sc bug3
//
// The bounded queue of Vyukov for many producers and consumers: each cell of the ring has a number
// that says whose turn it is. A position is claimed with a compare-exchange, and the cell handed
// over by its number. Full and empty are reported, nothing is lost or seen twice.
//
// One consumer, N - 1 producers with one value each, two cells.
//
// BUG 1: the producer hands the cell over without its contents.
// BUG 2: the consumer does not acquire the contents.
// BUG 3: a position is claimed with a store: two producers fill the same cell.

#include "structures.h"

enum { SIZE = 2 };

typedef struct Cell {
  atomic_uint turn;
  int value;
} Cell;

static Cell ring[SIZE];
static atomic_uint head, tail;

static bool claim (atomic_uint *position, unsigned at) {
  if (BUG == 3) {
    atomic_store_explicit (position, at + 1, memory_order_relaxed); // @bug3
    return true;
  }
  return atomic_compare_exchange_strong_explicit (position, &at, at + 1, memory_order_relaxed,
                                                  memory_order_relaxed);
}

static bool enqueue (int value) {
  for (;;) {
    unsigned at = atomic_load_explicit (&tail, memory_order_relaxed);
    Cell *c = &ring[at % SIZE];
    int ahead = (int)(atomic_load_explicit (&c->turn, memory_order_acquire) - at);
    if (ahead < 0) return false; /* full */
    if (ahead == 0 && claim (&tail, at)) {
      c->value = value; // @fill
      atomic_store_explicit (&c->turn, at + 1, ORDER (release, 1)); // @bug1
      return true;
    }
  }
}

static bool dequeue (int *value) {
  for (;;) {
    unsigned at = atomic_load_explicit (&head, memory_order_relaxed);
    Cell *c = &ring[at % SIZE];
    int ahead = (int)(atomic_load_explicit (&c->turn, ORDER (acquire, 2)) - (at + 1)); // @bug2
    if (ahead < 0) return false; /* empty */
    if (ahead == 0 && claim (&head, at)) {
      *value = c->value; // @use
      atomic_store_explicit (&c->turn, at + SIZE, memory_order_release);
      return true;
    }
  }
}

static void *producer (void *arg) {
  bool has_room = enqueue (number (arg) + 42);
  assert (has_room);
  return NULL;
}

static void *consumer (void *arg) {
  int last = 0;
  for (int k = 1, value; k < N && dequeue (&value); k++) {
    assert (value >= 42 && value < 42 + N && value != last); // @value
    last = value;
  }
  return arg;
}

int main (void) {
  pthread_t t[N];
  for (unsigned i = 0; i < SIZE; i++) atomic_init (&ring[i].turn, i);
  for (int i = 0; i < N; i++) start (&t[i], i ? producer : consumer, i);
  join (t, N);
}
