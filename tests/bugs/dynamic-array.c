// Arrays of variable length and alloca-like memory in a frame.
// expect: rc11 1/0
#include <assert.h>

static int sum (int n) {
  int a[n], total = 0;
  for (int i = 0; i < n; i++) a[i] = i;
  for (int i = 0; i < n; i++) total += a[i];
  return total;
}

int main (void) {
  int total = 0;
  for (int n = 1; n <= 4; n++) total += sum (n);
  assert (total == 10);
  return 0;
}
