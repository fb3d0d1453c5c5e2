// An assertion that holds.
// expect: rc11 1/0, sc 1/0
#include <assert.h>

int main (void) {
  int x = 2;
  assert (x * x == 4);
  return 0;
}
