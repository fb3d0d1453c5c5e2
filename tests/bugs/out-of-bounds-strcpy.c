// strcpy into an array that is too small.
// finding: rc11 out-of-bounds A
#include <string.h>

static char small[4];

int main (void) {
  const char *volatile text = "too long";
  strcpy (small, text); // @A
  return 0;
}
