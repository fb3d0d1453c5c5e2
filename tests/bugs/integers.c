// Integer arithmetic of every width: wrap-around, shifts, sign extension, comparison.
// expect: rc11 1/0
#include <assert.h>
#include <limits.h>
#include <stdint.h>

int main (void) {
  volatile int8_t c = -3;
  volatile uint16_t s = 65535;
  volatile int32_t i = INT_MIN;
  volatile uint64_t u = 0;
  assert (c >> 1 == -2 && (uint8_t)c == 253 && c / 2 == -1 && c % 2 == -1);
  s++;
  assert (s == 0);
  assert ((uint32_t)i >> 31 == 1 && (int64_t)i == -2147483648LL);
  u--;
  assert (u == UINT64_MAX && (int64_t)u < 0 && u / 3 == 6148914691236517205u);
  assert ((c < 0) == 1 && ~c == 2 && (c & 0xf) == 13 && (c ^ -1) == 2);
  return 0;
}
