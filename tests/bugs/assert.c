// A plain assertion that fails in every execution.
// finding: rc11 assert A
// finding: sc assert A
#include <assert.h>

int main (void) {
  int x = 2;
  assert (x * x == 5); // @A
  return 0;
}
