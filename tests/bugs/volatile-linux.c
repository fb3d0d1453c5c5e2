// A seqlock in the style of Linux: volatile accesses and fences. In C they race; with --volatile
// they are relaxed atomic ones, and the fences do what is wanted.
// finding: rc11 race
// finding: rc11 assert
// expect[--volatile]: rc11 2, tso 2, armv8 2
// finding[--volatile -DBUG]: rc11 assert torn
// finding[--volatile -DBUG]: armv8 assert torn
// finding[--volatile -DPLAIN]: rc11 race plain|plain2
// finding[--volatile -DPLAIN]: rc11 assert torn
// fix[--volatile -DBUG]: rc11 begin
#include <assert.h>
#include <pthread.h>

#define READ_ONCE(x) (*(const volatile __typeof__ (x) *)&(x))
#define WRITE_ONCE(x, v) (*(volatile __typeof__ (x) *)&(x) = (v))
#define smp_wmb() __atomic_thread_fence (__ATOMIC_RELEASE)
#define smp_rmb() __atomic_thread_fence (__ATOMIC_ACQUIRE)

static struct Keeper {
  unsigned sequence;
  unsigned long seconds;
  unsigned nanoseconds;
} keeper;

static void *writer (void *arg) {
  WRITE_ONCE (keeper.sequence, keeper.sequence + 1);
  smp_wmb ();
  WRITE_ONCE (keeper.seconds, 1);
#ifdef PLAIN
  keeper.nanoseconds = 10; // @plain
#else
  WRITE_ONCE (keeper.nanoseconds, 10);
#endif
  smp_wmb ();
  WRITE_ONCE (keeper.sequence, keeper.sequence + 1);
  return arg;
}

static void *reader (void *arg) {
  unsigned long seconds, nanoseconds;
  unsigned begin;
  do {
    while ((begin = READ_ONCE (keeper.sequence)) & 1) {
    } // @begin
#ifndef BUG
    smp_rmb ();
#endif
    seconds = READ_ONCE (keeper.seconds);
    nanoseconds = READ_ONCE (keeper.nanoseconds); // @plain2
    smp_rmb ();
  } while (READ_ONCE (keeper.sequence) != begin);
  assert (nanoseconds == 10 * seconds); // @torn
  return arg;
}

int main (void) {
  pthread_t t1, t2;
  pthread_create (&t1, NULL, writer, NULL);
  pthread_create (&t2, NULL, reader, NULL);
  pthread_join (t1, NULL);
  pthread_join (t2, NULL);
}
