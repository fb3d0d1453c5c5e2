// LB+join+W: main is on a cycle, and joins a thread that nobody on it reads from.
// expect: rc20 10/0, wkmo2 12, xmm 12
// cyclic: xmm 2, wkmo2 2
// oracle: main: create 1; create 2; r0=R z; join 1; W y 1 || W z 1 || r0=R y; W z 1
#include "lb.h"

static atomic_int y, z;

static void *thread1 (void *unused) {
  store (&z, 1);
  return NULL;
}

static void *thread2 (void *unused) {
  (void)load (&y);
  store (&z, 1);
  return NULL;
}

int main (void) {
  pthread_t t[2];
  pthread_create (&t[0], NULL, thread1, NULL);
  pthread_create (&t[1], NULL, thread2, NULL);
  (void)load (&z);
  pthread_join (t[0], NULL);
  store (&y, 1);
  return 0;
}
