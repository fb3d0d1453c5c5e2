// Tag bits in the low end of a pointer, as lock-free code uses them.
// expect: rc11 1/0
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main (void) {
  int *p = malloc (sizeof *p);
  *p = 3;
  uintptr_t tagged = (uintptr_t)p | 1;
  assert ((tagged & 1) == 1);
  int *q = (int *)(tagged & ~(uintptr_t)1);
  assert (q == p && *q == 3);
  free (q);
  return 0;
}
