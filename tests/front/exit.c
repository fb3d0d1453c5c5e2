// Exit handlers run when main returns, last one first; constructors run before main.
// run: pass
#include <assert.h>
#include <stdlib.h>

static int step;
__attribute__ ((constructor)) static void before (void) { step = 1; }
static void first (void) { assert (step == 2); step = 3; }
static void second (void) { assert (step == 3); step = 4; }

int main (void) {
  assert (step == 1);
  step = 2;
  atexit (second);
  atexit (first);
  return 0;
}
