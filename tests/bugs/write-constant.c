// A string literal is written.
// finding: rc11 out-of-bounds A
int main (void) {
  char *s = (char *)"abc";
  s[0] = 'x'; // @A
  return 0;
}
