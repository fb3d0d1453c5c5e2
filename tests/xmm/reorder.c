// reorder: moving a load before a store (-DAFTER) brings no new outcome, nor does it matter whether a
// thread passes a value on by memory that nobody else knows (-DPRIVATE). The cycle enters the first
// thread by a read that is committed, and that thread has the race. docs/XMM.md §2.
// expect: rc20 15, wkmo2 15, xmm 19
// cyclic: xmm 4, wkmo2 0
// finding: xmm assert A
// repaired: r0=R x; W y r0; r1=R x || r0=R x; r1=R y; if r1 != 0 { W x 2 } || W x 3
// expect[-DPRIVATE]: rc20 15, xmm 19
// cyclic[-DPRIVATE]: xmm 4
// finding[-DPRIVATE]: xmm assert A
// oracle[-DPRIVATE]: r0=R x; W a r0; r2=R a; W y r2; r1=R x || r0=R x; r1=R y; if r1 != 0 { W x 2 } || W x 3
// expect[-DAFTER]: rc20 13, xmm 19
// cyclic[-DAFTER]: xmm 6
// finding[-DAFTER]: xmm assert A
// oracle[-DAFTER]: r0=R x; r1=R x; W y r0 || r0=R x; r1=R y; if r1 != 0 { W x 2 } || W x 3
#include <assert.h>
#include "lb.h"

static atomic_int x, y;
static int first;

static void *thread1 (void *unused) {
  int r = load (&x);
#ifdef AFTER
  (void)load (&x);
#endif
#ifdef PRIVATE
  static atomic_int own;
  store (&own, r);
  r = load (&own);
#endif
  store (&y, r);
#ifndef AFTER
  (void)load (&x);
#endif
  first = r;
  return NULL;
}

static void *thread2 (void *unused) {
  (void)load (&x);
  if (load (&y) != 0) store (&x, 2);
  return NULL;
}

static void *thread3 (void *unused) {
  store (&x, 3);
  return NULL;
}

int main (void) {
  RUN (thread1, thread2, thread3);
  assert (first != 2); // @A
}
