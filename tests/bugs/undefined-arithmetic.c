// What has no result in C, and is not the same on all processors; and what is close and has one.
// finding[-DWHAT=number/minus]: rc11 overflow A
// finding[-DWHAT=number%minus]: rc11 overflow A
// finding[-DWHAT=1<<width]: rc11 overflow A
// finding[-DWHAT=1>>minus]: rc11 overflow A
// finding[-DWHAT=1l<<(2*width)]: rc11 overflow A
// finding[-DWHAT=number-1 --overflow]: rc11 overflow A
// finding[-DWHAT=-number --overflow]: rc11 overflow A
// verdict[-DWHAT=number-1]: rc11 pass
// assumed[-DWHAT=number-1]: rc11 overflow-wraps
// assumed[-DWHAT=(unsigned)number-1u]: rc11 nothing
// verdict[-DWHAT=1l<<width]: rc11 pass
// verdict[-DWHAT=(unsigned)number-1u --overflow]: rc11 pass
// verdict[-DWHAT=(number+1)/minus]: rc11 pass
// finding[-DWHAT=*(atomic_short*)(bytes+1)]: rc11 misaligned A
// verdict[-DWHAT=*(atomic_short*)(bytes+2)]: rc11 pass
#include <limits.h>
#include <stdatomic.h>

static _Alignas (8) char bytes[8];
static atomic_int number = INT_MIN, minus = -1, width = 32;

int main (void) {
  long result = WHAT; // @A
  number = (int)result; // somebody needs it
  (void)bytes;
  return 0;
}
