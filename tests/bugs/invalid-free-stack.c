// free of a local variable.
// finding: rc11 invalid-free A
#include <stdlib.h>

int main (void) {
  int x = 1;
  int *volatile p = &x;
  free (p); // @A
  return x & 0;
}
