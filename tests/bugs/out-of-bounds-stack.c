// A write past the end of a local array.
// finding: rc11 out-of-bounds A
static void fill (int *a, int n) {
  for (int i = 0; i < n; i++) a[i] = i; // @A
}

int main (void) {
  int a[4];
  fill (a, 5);
  return a[0];
}
