// A read before the beginning of an object.
// finding: rc11 out-of-bounds A
#include <stdlib.h>

int main (void) {
  char *p = calloc (1, 4);
  int r = p[-1]; // @A
  free (p);
  return r & 0;
}
