// A weak compare-exchange may fail although it finds what it expects: who takes one failure for an answer is wrong.
// expect: rc11 1/0
// assumed: rc11 spurious-failures
// assumed: mca spurious-failures
// assumed[-DSTRONG]: rc11 nothing
// finding[--spurious]: rc11 assert A
// finding[--spurious]: tso assert A
// finding[--spurious -DSTRONG_FIRST]: sc assert A
// expect[--spurious -DSTRONG]: rc11 1/0
#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_int x;

int main (void) {
  int expected = 0;
#ifdef STRONG_FIRST
  assert (atomic_compare_exchange_strong (&x, &expected, 0));
#endif
#ifdef STRONG
  bool done = atomic_compare_exchange_strong (&x, &expected, 1);
#else
  bool done = atomic_compare_exchange_weak (&x, &expected, 1);
#endif
  assert (expected == 0);
  assert (done); // @A
  return 0;
}
