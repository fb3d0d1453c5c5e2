// A data race that there is in a cyclic execution only.
// finding: xmm race
// finding: wkmo2 race
// verdict: rc20 pass
#include "lb.h"

static atomic_int x, y;
static int data;

static void *thread1 (void *unused) {
  if (load (&x)) data = 1;
  store (&y, 1);
  return NULL;
}

static void *thread2 (void *unused) {
  if (load (&y)) data = 2;
  store (&x, 1);
  return NULL;
}

int main (void) { RUN (thread1, thread2); }
