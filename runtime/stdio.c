/* stdio.c - output. What is printed is shown on request and has no other effect. */
#include "runtime.h"
#include <stdio.h>

int puts (const char *s) { return (int)__porf_output ("%s\n", s); }
int fputs (const char *restrict s, FILE *restrict to) {
  (void)to;
  return (int)__porf_output ("%s", s);
}
int putchar (int c) {
  __porf_output ("%c", c);
  return c;
}
int fputc (int c, FILE *to) {
  (void)to;
  return putchar (c);
}
int putc (int c, FILE *to) { return fputc (c, to); }
void perror (const char *s) { __porf_output ("%s: error\n", s); }
