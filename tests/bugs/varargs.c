// A function that asks for more arguments than it was given reads beyond them.
// finding: rc11 out-of-bounds A
#include <stdarg.h>

static int sum (int n, ...) {
  va_list list;
  int total = 0;
  va_start (list, n);
  for (int i = 0; i < n; i++) total += va_arg (list, int); // @A
  va_end (list);
  return total;
}

int main (void) { return sum (3, 1, 2); }
