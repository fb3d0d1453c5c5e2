// expect: rc11 4
// expect[-DN=3]: rc11 15
// verdict[-DN=3]: tso pass
// finding[-DBUG=1]: rc11 race fill|use
// finding[-DBUG=1]: rc11 assert use
// finding[-DBUG=2]: rc11 race fill|use
// finding[-DBUG=2]: rc11 assert use
// verdict[-DBUG=2]: tso pass
// finding[-DBUG=3]: rc11 assert once
// finding[-DBUG=3]: sc assert once
// fix[-DBUG=1]: rc11 bug1
// fix[-DBUG=2]: rc11 bug2
// fix[-DBUG=3 --edits --help-time=55]: rc11 bug3
// blame[-DBUG=3]: sc bug3
//
// Double-checked initialisation: the first thread that needs the object makes it, under a lock;
// later ones find the pointer and need no lock. It is made once, and complete for everybody.
//
// BUG 1: the pointer is published without the object.
// BUG 2: who finds the pointer does not acquire the object.
// BUG 3: there is no second check under the lock.

#include "structures.h"

static _Atomic (int *) instance;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int made;
static int object;

static int *make (void) {
  assert (!atomic_exchange_explicit (&made, 1, memory_order_relaxed)); // @once
  object = 42;                                                         // @fill
  return &object;
}

static int *get (void) {
  int *p = atomic_load_explicit (&instance, ORDER (acquire, 2)); // @bug2
  if (p) return p;
  pthread_mutex_lock (&mutex);
  p = BUG == 3 ? NULL : atomic_load_explicit (&instance, memory_order_relaxed); // @bug3
  if (!p) {
    p = make ();
    atomic_store_explicit (&instance, p, ORDER (release, 1)); // @bug1
  }
  pthread_mutex_unlock (&mutex);
  return p;
}

static void *thread (void *arg) {
  assert (*get () == 42); // @use
  return arg;
}

int main (void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) start (&t[i], thread, i);
  join (t, N);
}
