// Inline assembly: barriers and hints are known, the rest is refused by name when reached.
// ir: fence sc
// ir: unsupported "inline assembly \\"rdtsc\\""
// run: incomplete
#include <assert.h>

int main (void) {
  int x = 1;
  __asm__ volatile ("" ::: "memory");
  __asm__ volatile ("mfence" ::: "memory");
  __asm__ volatile ("lock; addl $0,0(%%rsp)" ::: "memory", "cc");
  __asm__ volatile ("lock addl $0, (%%rsp)" ::: "memory", "cc");
  __asm__ volatile ("pause");
  __asm__ volatile ("rep; nop" ::: "memory");
  __asm__ ("" : "+r"(x));
  __asm__ volatile ("" : "+m"(x));
  assert (x == 1);
  __builtin_ia32_pause ();
  unsigned low, high;
  __asm__ volatile ("rdtsc" : "=a"(low), "=d"(high));
  return (int)(low + high);
}
