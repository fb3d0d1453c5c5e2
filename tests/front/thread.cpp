// C++ atomics, threads, mutexes, static objects.
// run: pass
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

static std::atomic<int> x{0};
static std::mutex m;
static int plain;

struct Counter {
  int n;
  Counter () : n (5) {}
  virtual int next () { return ++n; }
  virtual ~Counter () {}
};
static Counter counter;

int main () {
  std::thread t ([] {
    x.fetch_add (1, std::memory_order_release);
    std::lock_guard<std::mutex> hold (m);
    plain++;
  });
  {
    std::lock_guard<std::mutex> hold (m);
    plain++;
  }
  t.join ();
  assert (x.load (std::memory_order_acquire) == 1 && plain == 2);
  Counter *c = new Counter;
  assert (c->next () == 6 && counter.n == 5);
  delete c;
  return 0;
}
