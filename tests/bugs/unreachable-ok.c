// The twin of unreachable.
// expect: rc11 1/0
#include <stdatomic.h>

static atomic_int x = 2;

int main (void) {
  switch (atomic_load (&x)) {
  case 1:
    return 1;
  case 2:
    return 0;
  default:
    __builtin_unreachable ();
  }
}
