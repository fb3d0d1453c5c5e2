// Refused by name when it is reached.
// ir: va_start
// run: incomplete
#include <stdarg.h>
static int sum (int n, ...) {
  va_list list;
  va_start (list, n);
  int s = va_arg (list, int);
  va_end (list);
  return s;
}
int main (void) { return sum (1, 0); }
