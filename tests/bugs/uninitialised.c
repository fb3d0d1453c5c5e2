// Memory from malloc is read before it is written.
// finding: rc11 uninitialised A
#include <stdlib.h>

int main (void) {
  int *p = malloc (2 * sizeof *p);
  p[0] = 1;
  int r = p[1]; // @A
  free (p);
  return r;
}
