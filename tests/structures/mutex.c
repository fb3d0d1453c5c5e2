// expect[-DN=2]: rc11 2, sc 2, tso 2
// expect[-DN=3]: rc11 6
// expect[-DN=3 -DK=2]: rc11 90
// finding[-DBUG=1]: rc11 race inside
// finding[-DBUG=1]: rc11 assert sum
// finding[-DBUG=2]: rc11 lock-misuse unlock
// finding[-DBUG=2]: rc11 race inside
// finding[-DBUG=2]: rc11 assert sum
// fix[-DBUG=1 --edits --help-time=55]: rc11 bug1
// blame[-DBUG=1]: sc bug1
// fix[-DBUG=2 --edits --help-time=55]: rc11 bug2
// blame[-DBUG=2]: sc bug2
//
// The mutex of the thread library around a plain counter. The order of the sections is all that can
// differ: N! executions if each thread enters once.
//
// BUG 1: each thread has a mutex of its own.
// BUG 2: the mutex is tried, and whether that worked is not looked at.

#include "structures.h"

#ifndef K
#define K 1
#endif

static pthread_mutex_t mutexes[N]; /* only the first one is used */
static int counter;

static void *thread (void *arg) {
  pthread_mutex_t *mutex = &mutexes[BUG == 1 ? number (arg) : 0]; // @bug1
  for (int k = 0; k < K; k++) {
    if (BUG == 2)
      pthread_mutex_trylock (mutex); // @bug2
    else
      pthread_mutex_lock (mutex);
    counter++;                    // @inside
    pthread_mutex_unlock (mutex); // @unlock
  }
  return NULL;
}

int main (void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) pthread_mutex_init (&mutexes[i], NULL);
  for (int i = 0; i < N; i++) start (&t[i], thread, i);
  join (t, N);
  assert (counter == N * K); // @sum
}
