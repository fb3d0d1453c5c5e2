// expect: rc11 2
// verdict: tso pass
// expect[-DN=3]: rc11 12
// finding[-DBUG=1]: rc11 race fill|use
// finding[-DBUG=1]: rc11 assert value
// finding[-DBUG=2]: rc11 race fill|use
// finding[-DBUG=2]: rc11 assert value
// finding[-DN=3 -DBUG=3]: rc11 race fill|use
// finding[-DN=3 -DBUG=3]: rc11 assert value
// finding[-DN=3 -DBUG=3]: sc race fill|use
// finding[-DN=3 -DBUG=3]: sc assert value
// fix[-DBUG=1]: rc11 bug1
// fix[-DBUG=2]: rc11 bug2
// fix[-DN=3 -DBUG=3 --edits --help-time=55]: rc11 bug3
// blame[-DN=3 -DBUG=3]: sc bug3
//
// A ring buffer as network drivers use it: many producers claim a position by moving the producers'
// head, fill it, and move the producers' tail when those before them have done so. The consumer
// takes what is before the tail.
//
// One consumer, N - 1 producers with one value each.
//
// BUG 1: the producer moves the tail without publishing the value.
// BUG 2: the consumer reads the tail without acquiring the values before it.
// BUG 3: a producer does not wait for those before it, and gives away positions not yet filled.

#include "structures.h"

enum { SIZE = 4 };

static int ring[SIZE];
static atomic_uint producer_head, producer_tail, consumer_head;

static bool enqueue (int value) {
  unsigned at;
  do {
    at = atomic_load_explicit (&producer_head, memory_order_relaxed);
    if (at + 1 - atomic_load_explicit (&consumer_head, memory_order_acquire) > SIZE) return false;
  } while (!atomic_compare_exchange_strong_explicit (&producer_head, &(unsigned){at}, at + 1,
                                                     memory_order_relaxed, memory_order_relaxed));
  ring[at % SIZE] = value; // @fill // @bug3
  while (BUG != 3 && atomic_load_explicit (&producer_tail, memory_order_acquire) != at) { // @bug3
  }
  atomic_store_explicit (&producer_tail, at + 1, ORDER (release, 1)); // @bug1
  return true;
}

static bool dequeue (int *value) {
  unsigned at = atomic_load_explicit (&consumer_head, memory_order_relaxed);
  if (at == atomic_load_explicit (&producer_tail, ORDER (acquire, 2))) return false; // @bug2
  *value = ring[at % SIZE]; // @use
  atomic_store_explicit (&consumer_head, at + 1, memory_order_release);
  return true;
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
  for (int i = 0; i < N; i++) start (&t[i], i ? producer : consumer, i);
  join (t, N);
}
