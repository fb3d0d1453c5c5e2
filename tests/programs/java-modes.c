// Java's access modes by porf/java.h: every name once, and what plain accesses mean.
// expect: jam21 2, jam19 2
// finding[-DFLAG_IS_OPAQUE]: jam21 assert
// finding[-DFLAG_IS_OPAQUE]: jam19 assert
// verdict[-DRACE]: jam21 pass
// finding[-DRACE --plain-races]: jam21 race
// finding[-DRACE]: rc11 race
// unsupported[-DCYCLE]: jam21 plain accesses race
// verdict[-DCYCLE]: rc11 violation
// finding[-DCYCLE]: rc11 race
// expect[-DALL]: jam21 1
#include <assert.h>
#include <porf/java.h>
#include <pthread.h>
#include <stddef.h>

static int ready, data, other;

#ifdef FLAG_IS_OPAQUE
#define publish setOpaque
#else
#define publish setRelease
#endif

static void *writer (void *unused) {
  (void)unused;
  setPlain (&data, 42);
  publish (&ready, 1);
#ifdef CYCLE
  other = data;
#endif
  return NULL;
}

static void *reader (void *unused) {
  (void)unused;
#ifdef CYCLE
  data = other;
#else
  if (getAcquire (&ready)) assert (getPlain (&data) == 42);
#ifdef RACE
  (void)*(volatile int *)&data;
#endif
#endif
  return NULL;
}

static void use_all (void) {
  static int x;
  static long y;
  set (&x, 1);
  assert (get (&x) == 1);
  setVolatile (&x, 2);
  assert (getVolatile (&x) == 2 && getOpaque (&x) == 2);
  assert (compareAndSet (&x, 2, 3) && !compareAndSet (&x, 2, 4));
  assert (weakCompareAndSet (&x, 3, 4) && weakCompareAndSetPlain (&x, 4, 5));
  assert (weakCompareAndSetAcquire (&x, 5, 6) && weakCompareAndSetRelease (&x, 6, 7));
  assert (compareAndExchange (&x, 7, 8) == 7 && compareAndExchange (&x, 7, 9) == 8);
  assert (compareAndExchangeAcquire (&x, 8, 9) == 8 && compareAndExchangeRelease (&x, 9, 1) == 9);
  assert (getAndSet (&y, 1L) == 0 && getAndSetAcquire (&y, 2L) == 1 && getAndSetRelease (&y, 3L) == 2);
  assert (getAndAdd (&y, 1) == 3 && getAndAddAcquire (&y, 1) == 4 && getAndAddRelease (&y, 1) == 5);
  assert (getAndBitwiseOr (&y, 1) == 6 && getAndBitwiseOrAcquire (&y, 8) == 7 && getAndBitwiseOrRelease (&y, 0) == 15);
  assert (getAndBitwiseAnd (&y, 7) == 15 && getAndBitwiseAndAcquire (&y, 3) == 7 && getAndBitwiseAndRelease (&y, 1) == 3);
  assert (getAndBitwiseXor (&y, 2) == 1 && getAndBitwiseXorAcquire (&y, 2) == 3 && getAndBitwiseXorRelease (&y, 1) == 1);
  fullFence ();
  acquireFence ();
  releaseFence ();
  loadLoadFence ();
  storeStoreFence ();
}

int main (void) {
  pthread_t t[2];
#ifdef ALL
  use_all ();
  return 0;
#endif
  (void)use_all;
  pthread_create (&t[0], NULL, writer, NULL);
  pthread_create (&t[1], NULL, reader, NULL);
  pthread_join (t[0], NULL);
  pthread_join (t[1], NULL);
  return 0;
}
