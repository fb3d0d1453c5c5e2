// Store buffering with release and acquire accesses of Java: both threads may read the old value.
// finding: jam21 assert neither
// verdict: sc pass
#include <assert.h>
#include <porf/java.h>
#include <pthread.h>

static int x, y;
static int r0, r1;

static void *one (void *arg) {
  setRelease (&x, 1);
  r0 = getAcquire (&y);
  return arg;
}

static void *two (void *arg) {
  setRelease (&y, 1);
  r1 = getAcquire (&x);
  return arg;
}

int main (void) {
  pthread_t t1, t2;
  pthread_create (&t1, NULL, one, NULL);
  pthread_create (&t2, NULL, two, NULL);
  pthread_join (t1, NULL);
  pthread_join (t2, NULL);
  assert (r0 || r1); // @neither
  return 0;
}
