// expect: rc11 9
// expect[-DN=3]: rc11 254
// verdict: tso pass
// verdict[-DN=3]: sc pass
// finding[-DBUG=1]: rc11 race inside
// finding[-DBUG=1]: rc11 assert sum
// finding[-DBUG=1]: tso assert sum
// verdict[-DBUG=1]: sc pass
// finding[-DBUG=2]: rc11 race inside
// finding[-DBUG=2]: rc11 assert sum
// finding[-DBUG=2]: sc race inside
// finding[-DBUG=2]: sc assert sum
// finding[-DBUG=3]: rc11 liveness
// finding[-DBUG=3]: sc liveness
// fix[-DBUG=1]: rc11 bug1
// fix[-DBUG=1]: tso bug1
// fix[-DBUG=2 --edits --help-time=55]: rc11 bug2
// blame[-DBUG=2]: sc bug2
// fix[-DBUG=3 --edits --help-time=55]: rc11 bug3
// blame[-DBUG=3]: sc bug3
//
// Lamport's bakery: take a number above all others, then wait for everybody who is taking one or
// has a smaller one; equal numbers are ordered by thread. Loads and stores are enough, no two
// threads need to write the same word.
//
// BUG 1: stores release and loads acquire.
// BUG 2: nobody waits for those who are still taking a number.
// BUG 3: who has the same number is waited for, whoever it is.

#include "structures.h"

#define LOAD (BUG == 1 ? memory_order_acquire : memory_order_seq_cst)
#define STORE (BUG == 1 ? memory_order_release : memory_order_seq_cst)

static atomic_int choosing[N], numbers[N];
static int counter;

static bool is_before (int j, int his, int i, int mine) {
  return his && (his < mine || (his == mine && (j < i || BUG == 3))); // @bug3
}

static void lock (int i) {
  int mine = 0;
  atomic_store_explicit (&choosing[i], 1, STORE); // @bug1
  for (int j = 0; j < N; j++) {
    int his = atomic_load_explicit (&numbers[j], LOAD); // @bug1
    if (his > mine) mine = his;
  }
  atomic_store_explicit (&numbers[i], ++mine, STORE); // @bug1
  atomic_store_explicit (&choosing[i], 0, STORE); // @bug1
  for (int j = 0; j < N; j++) {
    if (j == i) continue; // @bug2
    while (BUG != 2 && atomic_load_explicit (&choosing[j], LOAD)) { // @bug1 // @bug2
    }
    while (is_before (j, atomic_load_explicit (&numbers[j], LOAD), i, mine)) { // @bug1 // @bug3
    }
  }
}

static void unlock (int i) { atomic_store_explicit (&numbers[i], 0, STORE); } // @bug1

static void *thread (void *arg) {
  int i = number (arg);
  lock (i);
  counter++; // @inside
  unlock (i);
  return NULL;
}

int main (void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) start (&t[i], thread, i);
  join (t, N);
  assert (counter == N); // @sum
}
