// expect[-DK=1]: rc11 4, jam21 4
// expect[-DK=2]: rc11 48, jam21 48
// expect[-DK=3]: rc11 588, jam21 588
//
// peterson_sc(K): Peterson's lock with seq_cst accesses, taken K times by each of two threads.

#include <assert.h>
#include <stdatomic.h>
#include "threads.h"

#ifndef K
#define K 2
#endif

static atomic_int flag[2], turn;
static int counter;

static void *thread (void *arg) {
  int me = (int)(long)arg, other = 1 - me;
  for (int i = 0; i < K; i++) {
    atomic_store (&flag[me], 1);
    atomic_store (&turn, other);
    while (atomic_load (&flag[other]) && atomic_load (&turn) == other) continue;
    counter++;
    atomic_store (&flag[me], 0);
  }
  return NULL;
}

int main (void) {
  pthread_t t[2];
  start (&t[0], thread, 0);
  start (&t[1], thread, 1);
  join (t, 2);
  assert (counter == 2 * K);
}
