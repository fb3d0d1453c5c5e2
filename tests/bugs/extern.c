// A variable that is declared and never defined is refused by name when it is used, also through a pointer, not before.
// verdict: rc11 pass
// unsupported[-DREAD]: rc11 the variable `nowhere`: no file given defines it
// unsupported[-DWRITE]: rc11 the variable `array`: no file given defines it
#include <stdio.h>
extern int nowhere, array[];
extern char **environ;

int main (void) {
  int *p = &nowhere;
  fprintf (stderr, "%p\n", (void *)p);
  if (*environ) return *p;
#ifdef READ
  return *p;
#endif
#ifdef WRITE
  array[500] = 1;
#endif
  return 0;
}
