// Calls: recursion, pointers, variadic output, old-style declarations, argc and argv.
// run: pass
#include <assert.h>
#include <stdio.h>
#include <string.h>

static int fib (int n) { return n < 2 ? n : fib (n - 1) + fib (n - 2); }
static int apply (int (*f) (int), int x) { return f (x); }
static int even (int n);
static int odd (int n) { return n ? even (n - 1) : 0; }
static int even (int n) { return n ? odd (n - 1) : 1; }
static long many (char a, short b, int c, long d, unsigned char e, float f, double g, void *h, int i) {
  return a + b + c + d + e + (long)f + (long)g + (h != 0) + i;
}

int main (int argc, char **argv) {
  assert (argc == 1 && strlen (argv[0]) > 0 && !argv[1]);
  assert (fib (10) == 55 && apply (fib, 7) == 13);
  assert (even (10) && !even (7));
  assert (many (-1, -2, 3, 4, 250, 1.5f, 2.5, argv, 9) == 267);
  printf ("%d %s %f\n", 1, "two", 3.0);
  fprintf (stderr, "%ld\n", 5L);
  puts ("done");
  putchar ('\n');
  return 0;
}
