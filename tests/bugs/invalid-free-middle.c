// free of a pointer into the middle of an object.
// finding: rc11 invalid-free A
#include <stdlib.h>

int main (void) {
  char *p = malloc (8);
  free (p + 4); // @A
  return 0;
}
