// Memory is written after it was freed.
// finding: rc11 use-after-free A
#include <stdlib.h>

int main (void) {
  char *p = malloc (4);
  free (p);
  p[2] = 1; // @A
  return 0;
}
