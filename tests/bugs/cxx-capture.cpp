// A thread that captures a local variable by reference outlives the function.
// finding: rc11 use-after-free use
// verdict[-DOK]: rc11 pass
#include <thread>

static std::thread t;

static void start () {
  int x;
  t = std::thread ([&] { x = 1; }); // @use
#ifdef OK
  t.join ();
#endif
}

int main () {
  start ();
#ifndef OK
  t.join ();
#endif
}
