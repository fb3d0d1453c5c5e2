// switch with ranges, fall-through and a default.
// expect: rc11 1/0
#include <assert.h>

static int classify (long long n) {
  int r = 0;
  switch (n) {
  case -1:
    return -1;
  case 0:
    r = 10; // falls through
  case 1:
    r += 1;
    break;
  case 1LL << 40:
    r = 40;
    break;
  default:
    r = 99;
  }
  return r;
}

int main (void) {
  assert (classify (-1) == -1 && classify (0) == 11 && classify (1) == 1);
  assert (classify (1LL << 40) == 40 && classify (7) == 99);
  return 0;
}
