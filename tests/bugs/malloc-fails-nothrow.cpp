// new (nothrow) can return a null pointer. That of plain new is never null: it would throw, which is assumed not to happen.
// assumed: rc11 malloc-succeeds
// finding[--malloc-fails]: rc11 null USE
// finding[--malloc-fails -DARRAY]: rc11 null USE
// assumed[-DPLAIN]: rc11 new-succeeds
// assumed[-DPLAIN --malloc-fails]: rc11 new-succeeds
// assumed[-DPLAIN -DARRAY --malloc-fails]: rc11 new-succeeds
#include <new>

int main () {
#ifdef PLAIN
#define HOW
#else
#define HOW (std::nothrow)
#endif
#ifdef ARRAY
  int *p = new HOW int[2];
#else
  int *p = new HOW int;
#endif
  *p = 1; // @USE
  return 0;
}
