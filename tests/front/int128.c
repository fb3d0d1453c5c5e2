// Integers of 128 bits: what is simple enough is computed, the rest refused by name when it is reached.
// run: pass
#include <assert.h>
typedef unsigned __int128 u128;
typedef __int128 i128;
u128 wide = ((u128)5 << 64) + 7;
static i128 minus = -3;
static u128 pick (int c, u128 a, u128 b) { return c ? a : b; }
static u128 loop (u128 x, int n) {
  while (n--) x += (u128)1 << 63;
  return x;
}
int main (int argc, char **argv) {
  (void)argv;
  u128 a = wide, max = ~(u128)0;
  assert ((unsigned long)(a >> 64) == 5 && (unsigned long)a == 7);
  assert (a + 1 > a && max + 1 == 0 && a - 8 == (((u128)4 << 64) | ~0ul));
  assert ((a << 3) >> 3 == a && (a << 70) == (u128)7 << 70 && (a & 6) == 6 && (a ^ a) == 0);
  assert (minus < 0 && minus + 3 == 0 && minus >> 100 == -1 && (int)minus == -3 && minus <= -3 && !(minus > 0));
  assert ((i128)(int)minus == minus && max > a && a >= wide && a != max);
  assert (pick (1, a, max) == a && pick (0, a, max) == max && loop (1, 4) == ((u128)2 << 64) + 1);
  if (argc > 1) return (int)(a / 3);
  return 0;
}
