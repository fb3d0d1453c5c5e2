// printf and its relatives with varargs are accepted and change nothing.
// expect: rc11 1/0
#include <stdio.h>

int main (void) {
  printf ("%d %s %c %5.2f %p %lu\n", 1, "two", '3', 4.0, (void *)0, 5ul);
  fprintf (stderr, "%s\n", "six");
  puts ("seven");
  putchar ('8');
  return 0;
}
