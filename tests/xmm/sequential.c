// sequential: when the third thread comes to stand behind the first one (-DAFTER), its store can be
// evidence for that of the first. docs/XMM.md, "Transformations".
// expect: rc20 13, wkmo2 13, xmm 13
// cyclic: xmm 0, wkmo2 0
// verdict: xmm pass
// oracle: r0=R y; W x r0 || r0=R.acq x; W.rel y 1 || r0=R y; if r0 == 0 { W x 1 }
// expect[-DAFTER]: rc20 6, xmm 7
// cyclic[-DAFTER]: xmm 1
// finding[-DAFTER]: xmm assert A
// oracle[-DAFTER]: r0=R y; W x r0; r1=R y; if r1 == 0 { W x 1 } || r0=R.acq x; W.rel y 1
#include <assert.h>
#include "lb.h"

static atomic_int x, y;
static int a, b, c;

static void *thread3 (void *unused) {
  c = load (&y);
  if (c == 0) store (&x, 1);
  return NULL;
}

static void *thread1 (void *unused) {
  a = load (&y);
  store (&x, a);
#ifdef AFTER
  thread3 (NULL);
#endif
  return NULL;
}

static void *thread2 (void *unused) {
  b = load_acquire (&x);
  store_release (&y, 1);
  return NULL;
}

int main (void) {
#ifdef AFTER
  RUN (thread1, thread2);
#else
  RUN (thread1, thread2, thread3);
#endif
  assert (!(a == 1 && b == 1 && c == 1)); // @A
}
