// What runs before main and after it: constructors by priority, exit handlers, the last one first, then destructors, the
// highest priority first.
// verdict: rc11 pass
// verdict: sc pass
// verdict[-DEXIT]: rc11 pass
// finding[-DWRONG]: rc11 assert last
// finding[-DWRONG]: mca assert last
// finding[-DWRONG -DEXIT]: rc11 assert last
#include <assert.h>
#include <stdlib.h>

static int order, tail;

__attribute__ ((constructor)) static void third (void) { order = order * 10 + 3; }
__attribute__ ((constructor (102))) static void second (void) { order = order * 10 + 2; }
__attribute__ ((constructor (101))) static void first (void) { order = order * 10 + 1; }

static void handler (void) { tail = tail * 10 + 1; }
static void handler_first (void) { tail = tail * 10 + 2; }
__attribute__ ((constructor)) static void registers (void) { atexit (handler); }
__attribute__ ((destructor (101))) static void last (void) {
#ifdef WRONG
  assert (tail != 2134); // @last
#else
  assert (tail == 2134);
#endif
}
__attribute__ ((destructor (102))) static void before_last (void) { tail = tail * 10 + 4; }
__attribute__ ((destructor)) static void one (void) { tail = tail * 10 + 3; }

int main (void) {
  assert (order == 123);
  atexit (handler_first);
#ifdef EXIT
  exit (0);
#endif
  return 0;
}
