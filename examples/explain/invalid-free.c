// What free gets does not come from malloc.
// finding: rc11 invalid-free free
#include <stdlib.h>

int table[4];

int main (void) {
  int *p = table;
  free (p); // @free
  return 0;
}
