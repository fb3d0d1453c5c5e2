// R-bot-multi-matching: a committed read that fits two stores of the same value.
// WMC has 20 executions, docs/WKMO2.md argues for one more.
// expect: rc20 15/0, wkmo2 21, xmm 21, imm 18
// cyclic: xmm 6, wkmo2 6
// oracle: W z 1
// oracle: || r0=R z; W a 1; W a 1; r1=R x; if r0 == 0 { W y 1 }; if r0 != 0 { if r1 == 1 { W y 1 } }
// oracle: || r1=R a; r0=R y; W x r0
#include "lb.h"

static atomic_int x, y, z, a;

static void *thread1 (void *unused) {
  store (&z, 1);
  return NULL;
}

static void *thread2 (void *unused) {
  int r0 = load (&z);
  store (&a, 1);
  store (&a, 1);
  int r1 = load (&x);
  if (r0 == 0 || r1 == 1) store (&y, 1);
  return NULL;
}

static void *thread3 (void *unused) {
  load (&a);
  store (&x, load (&y));
  return NULL;
}

int main (void) { RUN (thread1, thread2, thread3); }
