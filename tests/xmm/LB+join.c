// LB+join: a cycle goes through a thread that has ended with a read, and main, which has joined it.
// expect: rc20 3/0, wkmo2 4, xmm 4
// cyclic: xmm 1, wkmo2 1
// oracle: main: create 1; create 2; join 1; W y 1 || r0=R x || r0=R y; W x 1
#include "lb.h"

static atomic_int x, y;

static void *thread1 (void *unused) {
  (void)load (&x);
  return NULL;
}

static void *thread2 (void *unused) {
  (void)load (&y);
  store (&x, 1);
  return NULL;
}

int main (void) {
  pthread_t t[2];
  pthread_create (&t[0], NULL, thread1, NULL);
  pthread_create (&t[1], NULL, thread2, NULL);
  pthread_join (t[0], NULL);
  store (&y, 1);
  return 0;
}
