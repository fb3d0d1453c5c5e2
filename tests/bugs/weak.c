// A weak function that no file defines is a null pointer; one that the library has is there.
// expect: rc11 1
#include <assert.h>
#include <stddef.h>

__attribute__ ((weak)) int hook (int);
__attribute__ ((weak)) size_t strlen (const char *);
__attribute__ ((weak)) int own (int x) { return x + 1; }

int main (void) {
  int (*volatile p) (int) = hook;
  assert (!p && strlen && strlen ("abc") == 3 && own && own (1) == 2);
  if (hook) return hook (1);
  return 0;
}
