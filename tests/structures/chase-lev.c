// expect: rc11 77
// verdict: tso pass
// expect[-DN=3]: rc11 9656
// finding[-DBUG=1]: rc11 assert twice
// finding[-DBUG=1]: tso assert twice
// finding[-DBUG=2]: rc11 assert twice
// verdict[-DBUG=2]: tso pass
// finding[-DBUG=3]: rc11 race fill|use
// finding[-DBUG=3]: rc11 assert use
// finding[-DBUG=4]: rc11 assert twice
// finding[-DBUG=4]: sc assert twice
// fix[-DBUG=1]: rc11 bug1
// fix[-DBUG=1]: tso bug1
// fix[-DBUG=2]: rc11 bug2
// fix[-DBUG=3]: rc11 bug3
// fix[-DBUG=4 --edits --help-time=55]: rc11 bug4
// blame[-DBUG=4]: sc bug4
//
// The work-stealing deque of Chase and Lev with the fences of Lê, Pop, Cohen and Zappa Nardelli.
// The owner pushes and takes at the bottom, thieves steal at the top. No item is got twice, and
// what was written into it before it was pushed is there.
//
// One owner, N - 1 thieves.
//
// BUG 1: the owner has no fence between moving the bottom and reading the top, so that it and a
//        thief can miss each other.
// BUG 2: the thief has no fence between reading the top and reading the bottom.
// BUG 3: the owner publishes an item without its contents.
// BUG 4: the owner takes the last item without asking the thieves.

#include "structures.h"

enum { ITEMS = 3 };

static atomic_int top, bottom, deque[ITEMS], got[ITEMS];
static int contents[ITEMS];

static void push (int item) {
  int b = atomic_load_explicit (&bottom, memory_order_relaxed);
  atomic_store_explicit (&deque[b], item, memory_order_relaxed);
  if (BUG != 3) atomic_thread_fence (memory_order_release); // @bug3
  atomic_store_explicit (&bottom, b + 1, memory_order_relaxed);
}

static bool win (int t) {
  return atomic_compare_exchange_strong_explicit (&top, &t, t + 1, memory_order_seq_cst,
                                                  memory_order_relaxed);
}

static bool take (int *item) {
  int b = atomic_load_explicit (&bottom, memory_order_relaxed) - 1;
  atomic_store_explicit (&bottom, b, memory_order_relaxed);
  if (BUG != 1) atomic_thread_fence (memory_order_seq_cst); // @bug1
  int t = atomic_load_explicit (&top, memory_order_relaxed);
  bool found = t <= b;
  if (found) *item = atomic_load_explicit (&deque[b], memory_order_relaxed);
  if (t < b) return true; // @bug4
  if (t == b && BUG != 4) found = win (t); /* the last item */ // @bug4
  atomic_store_explicit (&bottom, b + 1, memory_order_relaxed);
  return found;
}

static bool steal (int *item) {
  int t = atomic_load_explicit (&top, memory_order_acquire);
  if (BUG != 2) atomic_thread_fence (memory_order_seq_cst); // @bug2
  int b = atomic_load_explicit (&bottom, memory_order_acquire);
  if (t >= b) return false;
  *item = atomic_load_explicit (&deque[t], memory_order_relaxed);
  return win (t);
}

static void use (int item) {
  assert (!atomic_exchange_explicit (&got[item], 1, memory_order_relaxed)); // @twice
  assert (contents[item] == item + 42);                                     // @use
}

static void *owner (void *arg) {
  int item;
  for (int i = 0; i < 2; i++) {
    contents[i] = i + 42; // @fill
    push (i);
  }
  for (int i = 0; i < 2; i++)
    if (take (&item)) use (item);
  return arg;
}

static void *thief (void *arg) {
  int item;
  for (int i = 0; i < 2; i++)
    if (steal (&item)) use (item);
  return arg;
}

int main (void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) start (&t[i], i ? thief : owner, i);
  join (t, N);
}
