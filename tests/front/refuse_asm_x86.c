// What is not known of x86-64 is refused by name where it is reached.
// ir: unsupported "inline assembly \\"lock negl
// ir: unsupported "inline assembly \\"movl %eax, %gs:
// not: unsupported .*xaddl
// run: incomplete
static void negate (int *p) { __asm__ volatile ("lock negl %0" : "+m"(*p)); }
static void segment (int x) { __asm__ volatile ("movl %%eax, %%gs:4" : : "a"(x)); }
static void add (int *p) { __asm__ volatile ("lock xaddl %1, %0" : "+m"(*p), "+r"(*p)); }

int main (void) {
  static volatile int never;
  int x = 1;
  add (&x);
  if (never) segment (x);
  negate (&x);
  return 0;
}
