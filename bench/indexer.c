// expect[-DN=11]: rc11 1
// expect[-DN=12]: rc11 8, wrc11 8, sc 8
// expect[-DN=13]: rc11 64, wrc11 64
// expect[-DN=14]: rc11 512, wkmo2 512, xmm 512, imm 512
// expect[-DN=15]: rc11 4096, wkmo2 4096, xmm 4096, imm 4096
//
// indexer(N): N threads insert four entries each into a hash table with linear probing (Flanagan
// and Godefroid, POPL 2005). Two threads collide only from N = 12 on, which is hard to know without
// running the program.

#include <stdatomic.h>
#include "threads.h"

#ifndef N
#define N 12
#endif

enum { SIZE = 128, MAX = 4 };

static atomic_int table[SIZE];

static void *thread (void *arg) {
  int tid = number (arg);
  for (int m = 0; m < MAX;) {
    int w = ++m * 11 + tid;
    int h = (w * 7) % SIZE, empty = 0;
    while (!atomic_compare_exchange_strong_explicit (&table[h], &empty, w, memory_order_relaxed,
                                                     memory_order_relaxed)) {
      h = (h + 1) % SIZE;
      empty = 0;
    }
  }
  return NULL;
}

int main (void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) start (&t[i], thread, i);
  join (t, N);
}
