// The thread itself uses a variable of a block that it has left.
// finding: rc11 use-after-free A
// finding[-DKIND=1]: rc11 use-after-free A
// finding[-DKIND=2]: rc11 use-after-free A
// finding[-DKIND=3]: rc11 use-after-free A
// expect[-DKIND=4]: rc11 1/0
// finding[-DKIND=5]: rc11 use-after-free B
// finding[-DKIND=6]: rc11 uninitialised
#ifndef KIND
#define KIND 0
#endif
struct pair {
  int a, b;
};
static volatile int two = 2;

int main (void) {
  int *p, sum = 0;
#if KIND == 0
  {
    int x = 1;
    p = &x;
  }
#elif KIND == 1 /* an array of variable length */
  {
    int x[two];
    x[1] = 1;
    p = &x[1];
  }
#elif KIND == 2 /* a member */
  {
    struct pair x = {1, 2};
    p = &x.b;
  }
#elif KIND == 3 /* of a loop */
  for (int i = 0; i < two; i++) {
    int x = i;
    p = &x;
  }
#elif KIND == 5 /* of the last round */
  p = &sum;
  for (int i = 0; i < two; i++) {
    int x = i;
    *p = 1; // @B
    p = &x;
  }
#elif KIND == 6 /* what the last round has left */
  p = &sum;
  for (int i = 0; i < two; i++) {
    int x, *q = &x;
    if (!i) *q = 1;
    sum += *q ? 1 : 0;
  }
#else /* all of them, used where they are */
  for (int i = 0; i < two; i++) {
    int x = i, y[two];
    p = &x;
    y[1] = *p;
    p = &y[1];
    {
      struct pair z = {*p, *p};
      p = &z.b;
      sum += *p;
    }
    p = &sum;
  }
#endif
  {
    int y = 3, *own = &y;
    sum += *p + *own; // @A
  }
  return sum - sum;
}
