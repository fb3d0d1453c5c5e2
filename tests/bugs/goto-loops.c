// Loops of every kind, with break, continue and goto.
// expect: rc11 1/0
#include <assert.h>

int main (void) {
  int n = 0, i = 0;
  while (1) {
    if (++i > 10) break;
    if (i % 2) continue;
    n += i;
  }
  assert (n == 30);
again:
  if (n > 20) {
    n -= 7;
    goto again;
  }
  do n *= 2;
  while (n < 100);
  assert (n == 128);
  return 0;
}
