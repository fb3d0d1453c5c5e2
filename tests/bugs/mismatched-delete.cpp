// Memory is freed by what belongs to what allocated it.
// finding[-DKIND={1..7}]: rc11 invalid-free A
// finding[-DKIND={1..3}]: mca invalid-free A
// verdict[-DKIND={10..15}]: rc11 pass
#include <cstdlib>
#include <cstring>
#include <new>
#include <thread>

struct Point {
  int x = 0, y = 0;
  ~Point () { x = 1; }
};

int main () {
#if KIND == 1
  free (new int); // @A
#elif KIND == 2
  delete (int *)malloc (4); // @A
#elif KIND == 3
  delete new int[2]; // @A
#elif KIND == 4
  delete[] new int; // @A
#elif KIND == 5
  free (new int[3]); // @A
#elif KIND == 6
  delete[] (char *)strdup ("a"); // @A
#elif KIND == 7
  int *p = new int;
  std::thread t ([p] { free (p); }); // @A
  t.join ();
#elif KIND == 10
  delete new Point;
#elif KIND == 11
  delete[] new int[2];
#elif KIND == 12
  delete new (std::nothrow) int;
#elif KIND == 13
  delete[] new (std::nothrow) int[4];
#elif KIND == 14
  free (realloc (malloc (4), 8));
#elif KIND == 15
  int *p = new int;
  std::thread t ([p] { delete p; });
  t.join ();
#endif
}
