// What printf and its like return, and store for %n: how much they have printed. A format may not ask for more arguments
// than there are.
// expect: rc11 1/0
// finding[-DFEWER]: rc11 out-of-bounds fewer
#include <assert.h>
#include <stdio.h>

int main (void) {
  const char *format = "%*d%n";
  int n = 0;
  signed char small[2] = {0, 7};
#ifdef FEWER
  printf ("%d %d\n", n); // @fewer
#endif
  assert (printf ("abc") == 3);
  assert (printf ("%d%s%%", 12345, "xy") == 8);
  assert (fprintf (stderr, "%5.2f", 1.5) == 5);
  assert (dprintf (1, "%c", 'x') == 1);
  printf ("abc%n%d", &n, 1);
  assert (n == 3);
  printf (format, 7, 1, &n);
  assert (n == 7);
  printf ("ab%hhn", small);
  assert (small[0] == 2 && small[1] == 7);
  assert (putchar (-1) == 255);
  assert (fwrite ("", 0, 5, stdout) == 0);
  return 0;
}
