// Functions registered by atexit run at the end, the last one first.
// finding: rc11 assert A
// verdict[-DEXPECTED=21]: rc11 pass
#include <assert.h>
#include <stdlib.h>

#ifndef EXPECTED
#define EXPECTED 12
#endif

static int order;

static void first (void) {
  order = order * 10 + 1;
  assert (order == EXPECTED); // @A
}

static void second (void) { order = order * 10 + 2; }

int main (void) {
  atexit (first);
  atexit (second);
  return 0;
}
