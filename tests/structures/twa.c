// expect: rc11 4
// expect[-DN=3]: rc11 72
// verdict[-DN=3]: tso pass
// finding[-DBUG=1]: rc11 race inside
// finding[-DBUG=1]: rc11 assert sum
// finding[-DN=3 -DBUG=2]: rc11 liveness far
// verdict[-DN=3 -DBUG=2]: tso pass
// finding[-DN=3 -DBUG=3]: rc11 liveness far
// finding[-DN=3 -DBUG=3]: sc liveness far
// fix[-DBUG=1]: rc11 bug1
// fix[-DN=3 -DBUG=2]: rc11 bug2
// fix[-DN=3 -DBUG=3]: rc11 bug3
// fix[-DN=3 -DBUG=3]: sc bug3
//
// A ticket lock with a waiting array (Dice and Kogan): only the thread whose turn is next watches
// the number being served. Those further behind watch a slot of an array, chosen by their ticket,
// which is touched when their turn comes near.
//
// A waiting thread remembers its slot before it looks at the number; whoever leaves changes the
// number before the slot. So either the one sees the new number or the other touches the slot
// afterwards: nobody sleeps through the call.
//
// For each order of the tickets, the second thread sees number 0 or 1 when it first looks, and the
// third does one of six things: its slot is touched already and it sees 1 or 2, or is not and it
// sees 1 or 2, or 0 and later 1 or 2. Together 6 * 2 * 6 executions for N = 3.
//
// BUG 1: the next number is called without publishing what was done inside.
// BUG 2: remembering the slot does not acquire: the slot may be new and the number old.
// BUG 3: the slot is touched before the number changes.

#include "structures.h"

enum { SLOTS = 4, NEAR = 1 };

static atomic_int next, serving, slots[SLOTS];
static int counter;

static void lock (void) {
  int mine = atomic_fetch_add_explicit (&next, 1, memory_order_relaxed);
  atomic_int *slot = &slots[mine % SLOTS];
  int remembered = atomic_load_explicit (slot, ORDER (acquire, 2)); // @bug2
  while (mine - atomic_load_explicit (&serving, memory_order_acquire) > NEAR) {
    while (atomic_load_explicit (slot, memory_order_relaxed) == remembered) { // @far
    }
    remembered = atomic_load_explicit (slot, ORDER (acquire, 2)); // @bug2
  }
  while (atomic_load_explicit (&serving, memory_order_acquire) != mine) {
  }
}

static void call (int ticket) { atomic_store_explicit (&serving, ticket, ORDER (release, 1)); } // @bug1

static void touch (int ticket) {
  atomic_fetch_add_explicit (&slots[ticket % SLOTS], 1, memory_order_release);
}

static void unlock (void) {
  int following = atomic_load_explicit (&serving, memory_order_relaxed) + 1;
  if (BUG == 3) touch (following + NEAR); // @bug3
  call (following);
  if (BUG != 3) touch (following + NEAR);
}

static void *thread (void *arg) {
  lock ();
  counter++; // @inside
  unlock ();
  return arg;
}

int main (void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) start (&t[i], thread, i);
  join (t, N);
  assert (counter == N); // @sum
}
