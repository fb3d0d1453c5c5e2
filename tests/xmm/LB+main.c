// LB+main: main writes before it creates threads, one of which reads that, and looks at what they did
// when it has joined them. None of that counts as a thread that reads from another (condition 4).
// expect: rc20 3/0, wkmo2 4, xmm 4
// cyclic: xmm 1
// oracle: main: W z 1; create 1; create 2; join 1; join 2; r0=R a
// oracle: || r0=R x; r1=R z; W a r1; W y 1 || r0=R y; W x 1
#include "lb.h"

static atomic_int x, y, z, a;

static void *thread1 (void *unused) {
  (void)load (&x);
  store (&a, load (&z));
  store (&y, 1);
  return NULL;
}

static void *thread2 (void *unused) {
  (void)load (&y);
  store (&x, 1);
  return NULL;
}

int main (void) {
  store (&z, 1);
  RUN (thread1, thread2);
  return load (&a) != 1;
}
