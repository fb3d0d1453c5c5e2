// What is not known of x86-64 is refused by name where it is reached.
// ir: unsupported "inline assembly \\"lock cmpxchg16b
// ir: unsupported "inline assembly \\"lock negl
// ir: unsupported "inline assembly \\"movl %eax, %gs:
// not: unsupported .*xaddl
// run: incomplete
#include <stdbool.h>
#include <stdint.h>

static bool wide (uint64_t *p, uint64_t low, uint64_t high) {
  bool z;
  __asm__ volatile ("lock cmpxchg16b %0; setz %1"
                    : "+m"(*p), "=q"(z), "+a"(low), "+d"(high)
                    : "b"(0ull), "c"(0ull)
                    : "memory", "cc");
  return z;
}

static void negate (int *p) { __asm__ volatile ("lock negl %0" : "+m"(*p)); }
static void segment (int x) { __asm__ volatile ("movl %%eax, %%gs:4" : : "a"(x)); }
static void add (int *p) { __asm__ volatile ("lock xaddl %1, %0" : "+m"(*p), "+r"(*p)); }

int main (void) {
  static _Alignas (16) uint64_t pair[2];
  static volatile int never;
  int x = 1;
  add (&x);
  if (never) {
    negate (&x);
    segment (x);
  }
  return wide (pair, 0, 0);
}
