// Structures, unions, arrays and bit-fields in memory of one thread: passed, returned, copied, compared.
// expect: rc11 1/0
#include <assert.h>
#include <stdint.h>
#include <string.h>

struct point {
  int x, y;
};

struct shape {
  char tag;
  struct point corner[3];
  double weight;
};

union word {
  uint32_t whole;
  uint8_t byte[4];
};

struct flags {
  unsigned a : 3, b : 5;
  int c : 4;
};

static struct point mirror (struct point p) { return (struct point){p.y, p.x}; }

static int area (struct shape s) { return s.corner[1].x * s.corner[2].y; }

int main (void) {
  struct point p = mirror ((struct point){1, 2});
  assert (p.x == 2 && p.y == 1);

  struct shape s = {.tag = 't', .corner = {{0, 0}, {3, 0}, {0, 4}}, .weight = 1.5}, copy = s;
  copy.corner[1].x = 5;
  assert (area (s) == 12 && area (copy) == 20 && copy.weight == 1.5);

  union word w = {.whole = 0x01020304};
  assert (w.byte[0] == 4 && w.byte[3] == 1);
  w.byte[1] = 0xff;
  assert (w.whole == 0x0102ff04);

  struct flags f = {5, 17, -3};
  f.a++;
  f.b -= 1;
  assert (f.a == 6 && f.b == 16 && f.c == -3);
  f.a += 3;
  assert (f.a == 1);

  int grid[3][4];
  memset (grid, 0, sizeof grid);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 4; j++) grid[i][j] = 10 * i + j;
  assert (grid[2][3] == 23 && *(&grid[0][0] + 5) == 11);
  return 0;
}
