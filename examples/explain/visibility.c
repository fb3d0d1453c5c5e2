// Store buffering with volatile accesses of Java: each pushes what is before it to everybody, in one order, so one of
// the threads comes second and sees the other. ra has no such axiom.
// verdict: jam21t pass
// finding: ra assert neither
#include <assert.h>
#include <porf/java.h>
#include <pthread.h>

static int x, y;
static int r0, r1;

static void *one (void *arg) {
  setVolatile (&x, 1);
  r0 = getVolatile (&y);
  return arg;
}

static void *two (void *arg) {
  setVolatile (&y, 1);
  r1 = getVolatile (&x);
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
