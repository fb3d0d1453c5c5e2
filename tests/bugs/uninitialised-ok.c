// Memory from calloc is zero, and what was written may be read.
// expect: rc11 1/0
#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main (void) {
  int *p = calloc (2, sizeof *p), *q = malloc (2 * sizeof *q);
  memset (q, 0, 2 * sizeof *q);
  assert (p[0] == 0 && p[1] == 0 && q[0] == 0 && q[1] == 0);
  free (p);
  free (q);
  return 0;
}
