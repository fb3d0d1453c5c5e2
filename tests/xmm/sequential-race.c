// sequential-race: LB-DRF, and two threads with an LB race that share nothing with it but that the
// second one sets z. When the first of these comes to stand before the first thread of LB-DRF
// (-DAFTER) its race counts for the cycle there. docs/XMM.md, "Transformations".
// expect: rc20 9, xmm 12
// cyclic: xmm 3
// verdict: xmm pass
// repaired: r0=R z; if r0 == 0 { W y 1 }; if r0 != 0 { r1=R x; if r1 != 0 { W y 1 } }
// repaired: || r0=R y; if r0 != 0 { W x 1 } || r0=R a; W b 1 || r0=R b; W a 1; W z 1
// expect[-DAFTER]: rc20 9, xmm 16
// cyclic[-DAFTER]: xmm 7
// finding[-DAFTER]: xmm assert A
// oracle[-DAFTER]: r0=R a; W b 1; r1=R z; if r1 == 0 { W y 1 }; if r1 != 0 { r2=R x; if r2 != 0 { W y 1 } }
// oracle[-DAFTER]: || r0=R y; if r0 != 0 { W x 1 } || r0=R b; W a 1; W z 1
#include <assert.h>
#include "lb.h"

static atomic_int x, y, z, a, b;
static int seen;

static void *thread3 (void *unused) {
  (void)load (&a);
  store (&b, 1);
  return NULL;
}

static void *thread1 (void *unused) {
#ifdef AFTER
  thread3 (NULL);
#endif
  if (load (&z) == 0) {
    store (&y, 1);
  } else {
    seen = load (&x);
    if (seen != 0) store (&y, 1);
  }
  return NULL;
}

static void *thread2 (void *unused) {
  if (load (&y) != 0) store (&x, 1);
  return NULL;
}

static void *thread4 (void *unused) {
  (void)load (&b);
  store (&a, 1);
  store (&z, 1);
  return NULL;
}

int main (void) {
#ifdef AFTER
  RUN (thread1, thread2, thread4);
#else
  RUN (thread1, thread2, thread3, thread4);
#endif
  assert (seen == 0); // @A
}
