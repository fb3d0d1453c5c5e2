// expect[-DK=0 -DRACES=4]: rc11 256, wrc11 256, sc 81
// expect[-DK=100 -DRACES=4]: rc11 256
// expect[-DK=400 -DRACES=8]: rc11 65536
//
// kops(K): two threads race ten times on independent pairs of variables (each stores to one and
// loads the other: 4^10 executions). Before and after the races each of them does K operations on
// private data and K on a shared variable that the other does not touch. How the time grows with K
// shows how much of an execution is run again for the next one.

#include <stdatomic.h>
#include "threads.h"

#ifndef K
#define K 100
#endif
#ifndef RACES
#define RACES 10
#endif

static atomic_int raced[2][RACES], own[2];

static unsigned work (int me, unsigned seed) {
  for (int i = 0; i < K; i++) {
    seed = seed * 1664525u + 1013904223u;
    int old = atomic_load_explicit (&own[me], memory_order_relaxed);
    atomic_store_explicit (&own[me], old + 1, memory_order_relaxed);
  }
  return seed;
}

static void *thread (void *arg) {
  int me = number (arg);
  unsigned seed = work (me, 1);
  for (int i = 0; i < RACES; i++) {
    atomic_store_explicit (&raced[me][i], 1, memory_order_relaxed);
    seed += (unsigned)atomic_load_explicit (&raced[!me][i], memory_order_relaxed);
  }
  work (me, seed);
  return arg;
}

int main (void) {
  pthread_t t[2];
  start (&t[0], thread, 0);
  start (&t[1], thread, 1);
  join (t, 2);
}
