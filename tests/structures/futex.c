// expect[-DN=2]: rc11 14
// verdict[-DN=2]: tso pass
// verdict[-DN=3]: rc11 pass
// finding[-DBUG=1]: rc11 race inside
// finding[-DBUG=1]: rc11 assert sum
// finding[-DN=3 -DBUG=2]: rc11 liveness sleep
// finding[-DN=3 -DBUG=2]: sc liveness sleep
// finding[-DBUG=3]: rc11 liveness sleep
// finding[-DBUG=3]: sc liveness sleep
// fix[-DBUG=1]: rc11 bug1
// fix[-DN=3 -DBUG=2 --edits --help-time=55]: rc11 bug2
// blame[-DN=3 -DBUG=2]: sc bug2
// fix[-DBUG=3 --edits --help-time=55]: rc11 bug3
// blame[-DBUG=3]: sc bug3
//
// A mutex in one word for an operating system with futexes (the second one of Drepper's "Futexes
// are tricky"): 0 free, 1 held, 2 held and somebody may sleep. Who unlocks from 2 wakes a sleeper.
// No thread sleeps forever.
//
// The futex is a stand-in that counts those who went to sleep and those who were woken, in turn.
// That the word still has its value is checked under the lock that a waker takes, too.
//
// BUG 1: the unlock publishes nothing.
// BUG 2: a thread that slept takes the lock as if nobody else slept.
// BUG 3: the futex does not check the word again before it sleeps.

#include "structures.h"

static atomic_int word, woken;
static pthread_mutex_t system_lock = PTHREAD_MUTEX_INITIALIZER;
static int sleepers, counter;

static void futex_wait (int expected) {
  pthread_mutex_lock (&system_lock);
  bool sleep = BUG == 3 || atomic_load_explicit (&word, memory_order_relaxed) == expected; // @bug3
  int mine = sleep ? sleepers++ : -1;
  pthread_mutex_unlock (&system_lock);
  while (atomic_load_explicit (&woken, memory_order_relaxed) <= mine) { // @sleep
  }
}

static void futex_wake (void) {
  pthread_mutex_lock (&system_lock);
  int n = atomic_load_explicit (&woken, memory_order_relaxed);
  if (n < sleepers) atomic_store_explicit (&woken, n + 1, memory_order_relaxed);
  pthread_mutex_unlock (&system_lock);
}

/* Changes the word from one value to another; returns what was there. */
static int change (int from, int to) {
  atomic_compare_exchange_strong_explicit (&word, &from, to, memory_order_acquire,
                                           memory_order_acquire);
  return from;
}

static void lock (void) {
  int old = change (0, 1);
  while (old != 0) {
    if (old == 2 || change (1, 2) != 0) futex_wait (2);
    old = change (0, BUG == 2 ? 1 : 2); // @bug2
  }
}

static void unlock (void) {
  if (atomic_exchange_explicit (&word, 0, ORDER (release, 1)) == 2) futex_wake (); // @bug1
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
