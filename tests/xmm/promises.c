// LB with N stores to a third location in each thread: every order of these is a core of its own. Beyond 20,000 of them
// porf says that it has not looked at all.
// expect[-DN=5]: rc11 756, wkmo2 1008
// cyclic[-DN=5]: wkmo2 252
// verdict[-DN=9]: wkmo2 incomplete
//
// C(2N,N) orders; each load sees the other thread's store or not, and only "both" is a cycle.
#include "lb.h"

static atomic_int x, y, z;

static void *thread1 (void *unused) {
  load (&x);
  for (int i = 0; i < N; i++) store (&z, 1);
  store (&y, 1);
  return NULL;
}

static void *thread2 (void *unused) {
  load (&y);
  for (int i = 0; i < N; i++) store (&z, 2);
  store (&x, 1);
  return NULL;
}

int main (void) { RUN (thread1, thread2); }
