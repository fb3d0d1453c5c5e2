// expect: rc11 29
// verdict: sc pass
// verdict: tso pass
// finding[-DBUG=1]: rc11 race inside
// finding[-DBUG=1]: rc11 assert sum
// finding[-DBUG=1]: rc11 liveness gather
// finding[-DBUG=1]: tso assert sum
// finding[-DBUG=1]: tso liveness gather
// verdict[-DBUG=1]: sc pass
// finding[-DBUG=2]: rc11 race inside
// finding[-DBUG=2]: rc11 assert sum
// finding[-DBUG=2]: rc11 liveness gather
// finding[-DBUG=2]: sc race inside
// finding[-DBUG=2]: sc assert sum
// finding[-DBUG=2]: sc liveness gather
// fix[-DBUG=1]: rc11 bug1
// fix[-DBUG=1]: tso bug1
// fix[-DBUG=2 --edits --help-time=55]: rc11 bug2
// blame[-DBUG=2]: sc bug2
//
// Szymanski's mutual exclusion: a waiting room with two doors. Threads gather in the room while the
// outer door is open; the last one in closes it and opens the inner one, and they go through in the
// order of their numbers.
//
// BUG 1: stores release and loads acquire.
// BUG 2: a thread does not wait for those with smaller numbers. Two are inside, or the one that is
//        through leaves before the one that gathers has seen it.

#include "structures.h"

#define LOAD (BUG == 1 ? memory_order_acquire : memory_order_seq_cst)
#define STORE (BUG == 1 ? memory_order_release : memory_order_seq_cst)

enum { OUTSIDE, INTERESTED, GATHERING, IN_DOORWAY, THROUGH };

static atomic_int flags[N];
static int counter;

static void become (int i, int flag) { atomic_store_explicit (&flags[i], flag, STORE); } // @bug1

static int look (int j) { return atomic_load_explicit (&flags[j], LOAD); } // @bug1

/* Is any thread interested and not yet in the room? */
static bool is_any_interested (void) {
  for (int j = 0; j < N; j++)
    if (look (j) == INTERESTED) return true;
  return false;
}

static bool is_any_through (void) {
  for (int j = 0; j < N; j++)
    if (look (j) == THROUGH) return true;
  return false;
}

static void lock (int i) {
  become (i, INTERESTED);
  for (int j = 0; j < N; j++)
    while (look (j) >= IN_DOORWAY) { /* the outer door is closed */
    }
  become (i, IN_DOORWAY);
  if (is_any_interested ()) {
    become (i, GATHERING);
    while (!is_any_through ()) { // @gather
    }
  }
  become (i, THROUGH);
  for (int j = 0; j < i && BUG != 2; j++) // @bug2
    while (look (j) >= GATHERING) {
    }
}

static void unlock (int i) {
  for (int j = i + 1; j < N; j++)
    for (int f;;) {
      f = look (j);
      if (f <= INTERESTED || f == THROUGH) break;
    }
  become (i, OUTSIDE);
}

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
