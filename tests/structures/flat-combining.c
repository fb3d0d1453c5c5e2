// expect: rc11 10
// verdict: tso pass
// expect[-DN=3]: rc11 267
// finding[-DBUG=1]: rc11 race request|combine
// finding[-DBUG=1]: rc11 assert sum
// finding[-DBUG=2]: rc11 race answer|combine
// finding[-DBUG=2]: rc11 assert sum
// finding[-DBUG=3]: rc11 race combine
// finding[-DBUG=3]: rc11 assert sum
// finding[-DBUG=4]: rc11 race answer|combine
// finding[-DBUG=4]: rc11 assert sum
// finding[-DBUG=4]: sc race answer|combine
// finding[-DBUG=4]: sc assert sum
// fix[-DBUG=1]: rc11 bug1
// fix[-DBUG=2]: rc11 bug2
// fix[-DBUG=3]: rc11 bug3
// fix[-DBUG=4 --edits --help-time=55]: rc11 bug4
// blame[-DBUG=4]: sc bug4
//
// Flat combining (Hendler, Incze, Shavit and Tzafrir): a thread writes down what it wants, and
// whoever gets the lock does the work of all. Here the work is drawing numbers; every thread gets
// one of its own.
//
// BUG 1: the request is published without what it says.
// BUG 2: the combiner marks a request as done without publishing the answer.
// BUG 3: the combiner's lock does not order one combiner's work before the next.
// BUG 4: the combiner does not look whether a request was already done.

#include "structures.h"

enum { NOTHING, REQUEST, DONE };

typedef struct Slot {
  atomic_int state;
  int amount, answer;
} Slot;

static Slot slots[N];
static atomic_int held;
static int sum; /* protected by the lock */

static void combine (void) {
  for (int j = 0; j < N; j++) {
    Slot *s = &slots[j];
    int state = atomic_load_explicit (&s->state, memory_order_acquire);
    if (state != REQUEST && !(BUG == 4 && state == DONE)) continue; // @bug4
    s->answer = sum;  // @combine
    sum += s->amount; // @combine
    atomic_store_explicit (&s->state, DONE, ORDER (release, 2)); // @bug2
  }
}

static int draw (Slot *mine, int amount) {
  mine->amount = amount; // @request
  atomic_store_explicit (&mine->state, REQUEST, ORDER (release, 1)); // @bug1
  while (atomic_load_explicit (&mine->state, memory_order_acquire) != DONE) {
    int expected = 0;
    if (atomic_load_explicit (&held, memory_order_relaxed)) continue;
    if (!atomic_compare_exchange_strong_explicit (&held, &expected, 1, memory_order_acquire,
                                                  memory_order_relaxed))
      continue;
    combine ();
    atomic_store_explicit (&held, 0, ORDER (release, 3)); // @bug3
  }
  return mine->answer; // @answer
}

static void *thread (void *arg) {
  int answer = draw (&slots[number (arg)], 1);
  assert (answer >= 0 && answer < N);
  return (void *)(intptr_t)answer;
}

int main (void) {
  pthread_t t[N];
  int drawn = 0;
  for (int i = 0; i < N; i++) start (&t[i], thread, i);
  for (int i = 0; i < N; i++) {
    void *answer;
    pthread_join (t[i], &answer);
    drawn |= 1 << number (answer);
  }
  assert (drawn == (1 << N) - 1 && sum == N); // @sum
}
