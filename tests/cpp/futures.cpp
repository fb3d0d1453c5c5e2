// std::promise, std::future, std::packaged_task and std::async, with values and exceptions.
// flags: -- -std=c++17
// verdict: rc11 pass
// verdict[-std=c++20]: rc11 pass
// finding[-DBUG=1]: rc11 race data
// finding[-DBUG=1]: rc11 assert
// finding[-DBUG=2]: rc11 abort bug2
// finding[-DBUG=3]: rc11 liveness
#include <cassert>
#include <future>
#include <stdexcept>
#include <thread>
#ifndef BUG
#define BUG 0
#endif

static int data;

static void with_promise () {
  std::promise<int> p;
  std::future<int> f = p.get_future ();
  std::thread t ([&p] {
#if BUG == 1
    p.set_value (3);
    data = 1; // @data
#elif BUG == 3
    data = 1;
#else
    data = 1;
    p.set_value (3);
#endif
  });
  assert (f.get () == 3 && data == 1); // @data
  t.join ();
}

static void with_task () {
  std::packaged_task<int (int)> task ([] (int n) {
    if (n > 1) throw std::range_error ("large");
    return n;
  });
  std::future<int> f = task.get_future ();
  std::thread t (std::move (task), 2);
  t.join ();
#if BUG == 2
  f.get (); // @bug2
#endif
  try {
    f.get ();
    assert (0);
  } catch (const std::range_error &) {
  }
}

static void with_async () {
  std::future<int> later = std::async (std::launch::deferred, [] { return 4; }),
                   now = std::async (std::launch::async, [] { return 5; });
  assert (later.get () + now.get () == 9);
}

static void broken () {
  std::future<void> f;
  {
    std::promise<void> p;
    f = p.get_future ();
  }
  try {
    f.get ();
    assert (0);
  } catch (const std::future_error &e) {
    assert (e.code () == std::future_errc::broken_promise);
  }
}

int main () {
  with_promise ();
  with_task ();
  with_async ();
  broken ();
}
