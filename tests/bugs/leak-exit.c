// Blocks that are lost when exit is called, and blocks that only a freed one points to.
// finding[--leaks -DKIND={1,2}]: rc11 leak A
// finding[--leaks -DKIND=3]: rc11 leak A
// verdict[--leaks -DKIND={4,5}]: rc11 pass
#include <stdlib.h>

static void **kept;

int main (void) {
#if KIND == 1
  int *p = malloc (4); // @A
  *p = 1;
  exit (0);
#elif KIND == 2
  int *p = malloc (4); // @A
  free (malloc (8));
  exit (*p = 0);
#elif KIND == 3
  kept = malloc (sizeof *kept);
  *kept = malloc (4); // @A
  free (kept);
#elif KIND == 4
  kept = malloc (sizeof *kept);
  *kept = malloc (4);
  exit (0);
#elif KIND == 5
  kept = malloc (sizeof *kept);
  *kept = malloc (4);
  free (*kept);
  free (kept);
  exit (0);
#endif
}
