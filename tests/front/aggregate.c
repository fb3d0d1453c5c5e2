// Structs by value, in registers and in memory; unions; bit-fields; nested arrays; struct copies.
// run: pass
#include <assert.h>
#include <string.h>

typedef struct { int x, y; } Pair;
typedef struct { double d; long l; } Mixed;
typedef struct { long a[6]; } Large;
typedef struct { unsigned a : 3, b : 7, c : 14; signed d : 5; } Bits;
struct Three { char c[3]; };

static Pair swap (Pair p) { return (Pair){p.y, p.x}; }
static Mixed mixed (double d, long l) { return (Mixed){d, l}; }
static long change (Large l) {
  l.a[0] = 99;
  return l.a[0] + l.a[5];
}
static Large make (long n) {
  Large l;
  for (int i = 0; i < 6; i++) l.a[i] = n + i;
  return l;
}
static struct Three three (int n) { return (struct Three){{(char)n, (char)(n + 1), (char)(n + 2)}}; }

int main (void) {
  Pair p = swap ((Pair){1, 2});
  assert (p.x == 2 && p.y == 1);
  Pair q = p;
  q.x = 5;
  assert (p.x == 2 && q.x == 5);
  Mixed m = mixed (2.5, 7);
  assert (m.d == 2.5 && m.l == 7);
  Large l = make (10);
  assert (change (l) == 99 + 15 && l.a[0] == 10);
  Bits b = {0};
  b.a = 7;
  b.b = 100;
  b.c = 12345;
  b.d = -3;
  assert (b.a == 7 && b.b == 100 && b.c == 12345 && b.d == -3);
  b.a = (unsigned)p.x + 7;
  assert (b.a == 1 && b.b == 100);
  struct Three t = three (4), u = t;
  assert (u.c[0] == 4 && u.c[2] == 6);
  union { float f; unsigned u; } f = {.f = 1.0f};
  assert (f.u == 0x3f800000);
  int grid[3][4];
  memset (grid, 0, sizeof grid);
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 4; k++) grid[i][k] += i * 10 + k;
  assert (grid[2][3] == 23 && *(*(grid + 1) + 2) == 12);
  Pair *pp = &q;
  Pair copies[3] = {p, *pp, {8, 9}};
  assert (copies[1].x == 5 && copies[2].y == 9);
  return 0;
}
