// x86-64 instructions in inline assembly, with their operands, sizes and flags. The same program passes on a processor.
// ir: load\.4 acq
// ir: load\.4 rlx
// ir: store\.8 rel
// ir: store\.1 rlx
// ir: rmw\.4\.xchg sc
// ir: rmw\.8\.add sc
// ir: rmw\.2\.or sc
// ir: cas\.4 sc sc
// ir: cas\.1 sc sc
// ir: cas\.16 sc sc
// not: unsupported
// run: pass
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#define LOCKED(text, ...) __asm__ volatile ("lock " text : __VA_ARGS__ : "memory", "cc")

static void moves (void) {
  unsigned x = 7, r;
  uint64_t y = 0;
  uint8_t b = 0, c = 1;
  __asm__ volatile ("movl %1, %0" : "=q"(r) : "m"(x) : "memory");
  assert (r == 7);
  __asm__ volatile ("movl %1, %0" : "=r"(r) : "m"(x));
  __asm__ volatile ("movq %1, %0" : "=m"(y) : "Zq"(0x123456789) : "memory");
  assert (y == 0x123456789);
  __asm__ volatile ("movb %b1, %0" : "=m"(b) : "q"(0x1ff));
  assert (b == 0xff);
  __asm__ volatile ("mov %1, %0" : "=m"(b) : "q"(c) : "memory");
  assert (b == 1);
  __asm__ volatile ("movq 8(%1), %%rax; movq %%rax, %0"
                    : "=r"(y)
                    : "r"((uint64_t[]){1, 2})
                    : "rax", "memory");
  assert (y == 2);
  __asm__ ("movl $-1, %k0; movb $2, %b0" : "=r"(y));
  assert (y == 0xffffff02);
}

static void exchanges (void) {
  unsigned x = 1, r = 2;
  uint64_t y = UINT64_MAX, d = 3;
  __asm__ volatile ("xchgl %0, %1" : "+m"(x), "+q"(r) : : "memory");
  assert (x == 2 && r == 1);
  __asm__ volatile ("xchg %0, %1" : "=r"(r), "+m"(x) : "0"(5) : "memory");
  assert (x == 5 && r == 2);
  LOCKED ("xaddq %1, %0", "+m"(y), "+q"(d) :);
  assert (y == 2 && d == UINT64_MAX);
  bool carry;
  LOCKED ("xaddl %2, %0; setc %1", "+m"(x), "=q"(carry), "+r"(r) :);
  assert (x == 7 && r == 5 && !carry);
}

static void pairs (void) {
  _Alignas (16) uint64_t p[2] = {1, 2};
  uint64_t low = 1, high = 2;
  bool ok;
  LOCKED ("cmpxchg16b %0; setz %1", "+m"(*(__int128 *)p), "=q"(ok), "+a"(low), "+d"(high) : "b"(3ul), "c"(4ul));
  assert (ok && p[0] == 3 && p[1] == 4);
  LOCKED ("cmpxchg16b %0", "+m"(*(__int128 *)p), "=@ccz"(ok), "+a"(low), "+d"(high) : "b"(5ul), "c"(6ul));
  assert (!ok && low == 3 && high == 4 && p[0] == 3 && p[1] == 4);
}

static bool cas (unsigned *p, unsigned *expected, unsigned to) {
  bool z;
  LOCKED ("cmpxchgl %3, %0", "+m"(*p), "=@ccz"(z), "+a"(*expected) : "q"(to));
  return z;
}

static bool cas_setz (uint8_t *p, uint8_t expected, uint8_t to) {
  bool z;
  LOCKED ("cmpxchgb %2, %0; setz %1", "+m"(*p), "=a"(z) : "q"(to), "a"(expected));
  return z;
}

static void compare_exchanges (void) {
  unsigned x = 1, e = 1;
  uint8_t b = 200;
  assert (cas (&x, &e, 9) && x == 9 && e == 1);
  assert (!cas (&x, &e, 10) && x == 9 && e == 9);
  assert (cas_setz (&b, 200, 3) && b == 3);
  assert (!cas_setz (&b, 200, 4) && b == 3);
}

static void arithmetic (void) {
  unsigned x = 1;
  bool zero, sign;
  uint16_t w = 0;
  LOCKED ("incl %0", "+m"(x) :);
  LOCKED ("; addl %1, %0", "+m"(x) : "ir"(10));
  LOCKED ("subl $3, %0", "+m"(x) :);
  LOCKED ("andl %1, %0", "+m"(x) : "r"(0xc));
  LOCKED ("xorl %1, %0", "+m"(x) : "r"(1));
  assert (x == 9);
  LOCKED ("notl %0", "+m"(x) :);
  assert (x == ~9u);
  x = 2;
  LOCKED ("decl %0; setz %1", "+m"(x), "=rm"(zero) :);
  assert (x == 1 && !zero);
  LOCKED ("decl %0\n\tsete %1", "+m"(x), "=q"(zero) :);
  assert (x == 0 && zero);
  LOCKED ("subl $1, %0; sets %1", "+m"(x), "=q"(sign) :);
  assert (x == UINT32_MAX && sign);
  LOCKED ("orw %1, %0", "+m"(w) : "r"((uint16_t)5));
  assert (w == 5);
  __asm__ ("addl %1, %0" : "+m"(x) : "r"(3));
  __asm__ ("cmpl %2, %1; setne %0" : "=q"(zero) : "r"(x), "r"(2) : "cc");
  assert (x == 2 && !zero);
}

static void bits (void) {
  unsigned x[2] = {0, 0};
  bool c;
  uint16_t w = 3;
  LOCKED ("btsl %2, %0; setc %1", "+m"(x[0]), "=q"(c) : "q"(4));
  assert (x[0] == 16 && !c);
  LOCKED ("btsl %2, %0; setc %1", "+m"(x[0]), "=q"(c) : "q"(36));
  assert (x[0] == 16 && x[1] == 16 && !c);
  LOCKED ("btrl %2, %0", "+m"(x[0]), "=@ccc"(c) : "r"(4));
  assert (x[0] == 0 && c);
  LOCKED ("btcw %w2, %0; setc %1", "+m"(w), "=q"(c) : "q"((uint16_t)1));
  assert (w == 1 && c);
}

int main (void) {
  pairs ();
  moves ();
  exchanges ();
  compare_exchanges ();
  arithmetic ();
  bits ();
  __asm__ volatile ("prefetchw (%0)" : : "r"(&main) : "memory");
  return 0;
}
