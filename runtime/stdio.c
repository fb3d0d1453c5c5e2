/* stdio.c - output. What is printed is shown on request and has no other effect. */
#include "runtime.h"
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* No thread looks into a stream, but programs pass these on. */
FILE *stdin = (FILE *)16, *stdout = (FILE *)32, *stderr = (FILE *)48;

/* What is printed is read, which others may be writing. */
static int print_text (const char *format, const char *s) {
  (void)strlen (s);
  return (int)__porf_output (format, s);
}
int puts (const char *s) { return print_text ("%s\n", s); }
int fputs (const char *restrict s, FILE *restrict to) {
  (void)to;
  return print_text ("%s", s);
}
int putchar (int c) {
  __porf_output ("%c", c);
  return (unsigned char)c;
}
int fputc (int c, FILE *to) {
  (void)to;
  return putchar (c);
}
int putc (int c, FILE *to) { return fputc (c, to); }
int putchar_unlocked (int c) { return putchar (c); }
int putc_unlocked (int c, FILE *to) { return fputc (c, to); }
int fputc_unlocked (int c, FILE *to);
int fputc_unlocked (int c, FILE *to) { return fputc (c, to); }
int fputs_unlocked (const char *restrict s, FILE *restrict to);
int fputs_unlocked (const char *restrict s, FILE *restrict to) { return fputs (s, to); }
int fileno (FILE *stream) { return (int)((unsigned long)stream / 16) - 1; }
static void write_bytes (const char *from, size_t n) {
  for (size_t i = 0; i < n; i++) putchar (from[i]);
}
size_t fwrite (const void *restrict from, size_t size, size_t n, FILE *restrict to) {
  (void)to;
  write_bytes (from, size * n);
  return size ? n : 0;
}
void porf_write_to_a_file (void); /* called, and never defined: see runtime.h */
ssize_t write (int to, const void *from, size_t n) {
  if (to != STDOUT_FILENO && to != STDERR_FILENO) porf_write_to_a_file ();
  write_bytes (from, n);
  return (ssize_t)n;
}
void perror (const char *s) { print_text ("%s: error\n", s ? s : ""); }
