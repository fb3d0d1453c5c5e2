// The memory and string functions of the C library.
// expect: rc11 1/0
#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main (void) {
  char a[16] = "porf", b[16];
  strcpy (b, a);
  assert (strlen (b) == 4 && strcmp (a, b) == 0 && strncmp ("pox", a, 2) == 0 &&
          strcmp ("a", "b") < 0);
  memmove (b + 1, b, 5);
  assert (memcmp (b, "pporf", 6) == 0);
  memset (b, 'x', 3);
  assert (b[2] == 'x' && b[3] == 'r' && strchr (b, 'r') == b + 3);
  char *p = malloc (4);
  memcpy (p, "abc", 4);
  p = realloc (p, 8);
  assert (strcmp (p, "abc") == 0);
  free (p);
  return 0;
}
