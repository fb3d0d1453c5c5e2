// riwi: two increments, and a flag that is read before the first.
// expect: rc20 3/0, wkmo2 4, xmm 4
// cyclic: xmm 1, wkmo2 1
// oracle: r0=R y; r1=FAA x 1
// oracle: || r0=FAA x 1; W.rel y 1
#include "lb.h"

static atomic_int x, y;

static void *thread1 (void *unused) {
  load (&y);
  fetch_add (&x, 1);
  return NULL;
}

static void *thread2 (void *unused) {
  fetch_add (&x, 1);
  store_release (&y, 1);
  return NULL;
}

int main (void) { RUN (thread1, thread2); }
