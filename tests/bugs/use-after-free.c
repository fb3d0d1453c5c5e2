// Memory is read after it was freed.
// finding: rc11 use-after-free A
// finding: sc use-after-free A
#include <stdlib.h>

int main (void) {
  int *p = malloc (sizeof *p);
  *p = 1;
  free (p);
  return *p & 0; // @A
}
