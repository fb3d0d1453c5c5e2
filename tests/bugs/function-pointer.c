// Calls through function pointers, in tables and structures.
// expect: rc11 1/0
#include <assert.h>
#include <stdlib.h>

static int add (int a, int b) { return a + b; }
static int sub (int a, int b) { return a - b; }

static int (*const table[2]) (int, int) = {add, sub};

struct operation {
  int (*run) (int, int);
};

static int compare (const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static int minimum (const int *a, int n, int (*less) (const void *, const void *)) {
  int best = a[0];
  for (int i = 1; i < n; i++)
    if (less (&a[i], &best) < 0) best = a[i];
  return best;
}

int main (void) {
  struct operation o = {sub};
  int a[] = {3, 1, 2};
  assert (table[0](2, 3) == 5 && o.run (2, 3) == -1);
  assert (minimum (a, 3, compare) == 1);
  return 0;
}
