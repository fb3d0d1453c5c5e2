// A write past the end of an object from malloc.
// finding: rc11 out-of-bounds A
#include <stdlib.h>

int main (void) {
  int *p = malloc (4 * sizeof *p);
  for (int i = 0; i <= 4; i++) p[i] = i; // @A
  free (p);
  return 0;
}
