// Loops over arrays that stay inside, and a pointer just past the end that is only compared.
// expect: rc11 1/0
#include <assert.h>
#include <stdlib.h>

static int a[4];

int main (void) {
  int *p = malloc (4 * sizeof *p), sum = 0;
  for (int *q = p; q != p + 4; q++) *q = 1;
  for (int i = 0; i < 4; i++) a[i] = p[i];
  for (int i = 0; i < 4; i++) sum += a[i];
  free (p);
  assert (sum == 4);
  return 0;
}
