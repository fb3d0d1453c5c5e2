// Code that is marked unreachable is reached.
// finding: rc11 unreachable
#include <stdatomic.h>

static atomic_int x = 3;

int main (void) {
  switch (atomic_load (&x)) {
  case 1:
    return 0;
  case 2:
    return 0;
  default:
    __builtin_unreachable ();
  }
}
