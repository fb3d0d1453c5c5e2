// Memory is freed twice.
// finding: rc11 double-free A
// finding: sc double-free A
#include <stdlib.h>

int main (void) {
  int *p = malloc (sizeof *p), *q = p;
  free (p);
  free (q); // @A
  return 0;
}
