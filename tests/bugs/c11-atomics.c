// Every C11 operation on atomics, with its result.
// expect: rc11 1/0, sc 1/0, tso 1/0, ra 1/0
#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

static atomic_int x = 1;
static atomic_uchar small = 250;
static _Atomic (uint64_t) wide;
static atomic_bool flag;
static int array[4];
static int *_Atomic pointer = array;

int main (void) {
  assert (atomic_fetch_add (&x, 4) == 1 && atomic_fetch_sub (&x, 2) == 5);
  assert (atomic_fetch_or (&x, 8) == 3 && atomic_fetch_and (&x, 9) == 11 &&
          atomic_fetch_xor (&x, 1) == 9);
  assert (atomic_exchange (&x, 6) == 8);
  x++;
  x += 3;
  assert (x == 10);
  atomic_fetch_add (&small, 10);
  assert (atomic_load (&small) == 4);
  atomic_store (&wide, UINT64_MAX);
  assert (atomic_fetch_add (&wide, 2) == UINT64_MAX && atomic_load (&wide) == 1);
  assert (!atomic_exchange (&flag, true) && atomic_load (&flag));
  atomic_fetch_add (&pointer, 2);
  assert (atomic_load (&pointer) == array + 2);
  int expected = 9;
  assert (!atomic_compare_exchange_strong (&x, &expected, 1) && expected == 10);
  assert (atomic_compare_exchange_strong (&x, &expected, 1) && atomic_load (&x) == 1);
  return 0;
}
