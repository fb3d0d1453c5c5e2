// Takes two mutexes at once, in different orders.
//
// flags: --engine=auto
// verdict[-DN={2,3} -DWAY={0,1}]: sc,tso,rc11,rc20,ra,imm pass
// finding[-DN={2,3} -DBUG=1]: sc,tso,rc11,rc20,ra,imm deadlock
// slow[-DN=3 -DWAY={0,1}]: sc,tso,rc11,rc20,ra,imm
// slow[-DN=2 -DWAY={0,1}]: imm
#include <cassert>
#include <mutex>
#include <thread>
#ifndef N
#define N 2
#endif
#ifndef BUG
#define BUG 0
#endif
#ifndef WAY
#define WAY 0
#endif

static std::mutex a, b;
static int data;

static void body (std::mutex &first, std::mutex &second) {
  if (BUG) {
    std::lock_guard<std::mutex> one (first), two (second);
    data++;
  } else if (WAY) {
    std::lock (first, second);
    std::lock_guard<std::mutex> one (first, std::adopt_lock), two (second, std::adopt_lock);
    data++;
  } else {
    std::scoped_lock both (first, second);
    data++;
  }
}

int main () {
  std::thread one ([] { body (a, b); }), two ([] { body (b, a); }), three;
  if (N > 2) three = std::thread ([] { body (a, b); });
  one.join ();
  two.join ();
  if (N > 2) three.join ();
  assert (data == N);
}
