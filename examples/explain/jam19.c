// Volatile accesses only, and yet an outcome that no interleaving has: x = 2 comes last, after y = 1 was seen, but
// y = 1 is not seen behind it. jam21 forbids it.
// finding: jam19 assert too-weak
// verdict: jam21 pass
#include <assert.h>
#include <porf/java.h>
#include <pthread.h>

static int x, y;
static int r0, r1, r2, r3;

static void *one (void *arg) {
  setVolatile (&x, 2);
  r0 = getVolatile (&y);
  return arg;
}

static void *two (void *arg) {
  setVolatile (&y, 1);
  return arg;
}

static void *three (void *arg) {
  r1 = getVolatile (&y);
  setVolatile (&x, 1);
  return arg;
}

static void *four (void *arg) {
  r2 = getVolatile (&x);
  r3 = getVolatile (&x);
  return arg;
}

int main (void) {
  pthread_t t[4];
  pthread_create (&t[0], NULL, one, NULL);
  pthread_create (&t[1], NULL, two, NULL);
  pthread_create (&t[2], NULL, three, NULL);
  pthread_create (&t[3], NULL, four, NULL);
  for (int i = 0; i < 4; i++) pthread_join (t[i], NULL);
  assert (!(r1 == 1 && r2 == 1 && r3 == 2 && r0 == 0)); // @too-weak
  return 0;
}
