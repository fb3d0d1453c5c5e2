// Every object is freed once, and free (NULL) does nothing.
// expect: rc11 1/0
#include <stdlib.h>

int main (void) {
  for (int i = 0; i < 3; i++) {
    int *p = malloc (sizeof *p);
    *p = i;
    free (p);
    p = NULL;
    free (p);
  }
  return 0;
}
