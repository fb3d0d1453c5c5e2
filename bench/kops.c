// expect[-DK=0]: rc11 1024, wrc11 1024, sc 1024
// expect[-DK=10]: rc11 1024
// expect[-DK=100]: rc11 1024
//
// kops(K): two threads race ten times on independent variables (one stores, the other loads: 2^10
// executions). Before and after the races each of them does K operations on private data and K on a
// shared variable that the other does not touch. How the time grows with K shows how much of an
// execution is run again for the next one.

#include <stdatomic.h>
#include "threads.h"

#ifndef K
#define K 100
#endif

enum { RACES = 10 };

static atomic_int raced[RACES], own[2];

static unsigned work (int me, unsigned seed) {
  for (int i = 0; i < K; i++) {
    seed = seed * 1664525u + 1013904223u;
    int old = atomic_load_explicit (&own[me], memory_order_relaxed);
    atomic_store_explicit (&own[me], old + 1, memory_order_relaxed);
  }
  return seed;
}

static void *writer (void *arg) {
  unsigned seed = work (0, 1);
  for (int i = 0; i < RACES; i++) atomic_store_explicit (&raced[i], 1, memory_order_relaxed);
  work (0, seed);
  return arg;
}

static void *reader (void *arg) {
  unsigned seed = work (1, 1);
  for (int i = 0; i < RACES; i++)
    seed += (unsigned)atomic_load_explicit (&raced[i], memory_order_relaxed);
  work (1, seed);
  return arg;
}

int main (void) {
  pthread_t t[2];
  start (&t[0], writer, 0);
  start (&t[1], reader, 1);
  join (t, 2);
}
