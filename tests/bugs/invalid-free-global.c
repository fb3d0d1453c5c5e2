// free of a global variable.
// finding: rc11 invalid-free A
#include <stdlib.h>

static int g;

int main (void) {
  int *volatile p = &g;
  free (p); // @A
  return 0;
}
