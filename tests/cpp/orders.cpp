// A fix of an order is at the call of std::atomic, wherever the order comes from.
// flags: -- -std=c++20
// verdict: rc11 pass
// finding[-DBUG={1..6}]: rc11 race
// finding[-DBUG={1..6}]: rc11 assert
// fix[-DBUG=1]: rc11 bug1
// fix[-DBUG=2]: rc11 bug2
// fix[-DBUG=3]: rc11 bug3
// fix[-DBUG=4]: rc11 bug4
// fix[-DBUG=5]: rc11 bug5
// fix[-DBUG=6]: rc11 bug6
#include <atomic>
#include <cassert>
#include <thread>
#ifndef BUG
#define BUG 0
#endif

template <bool is_weak> constexpr auto release = is_weak ? std::memory_order_relaxed : std::memory_order_release;
constexpr auto acquire = BUG == 5 ? std::memory_order_relaxed : std::memory_order_acquire;

template <class T> struct Slot {
  struct Both {
    int first, second;
  };
  std::atomic<T *> pointer{nullptr};
  std::atomic<bool> flag{false};
  std::atomic<Both> both{Both{0, 0}};
  std::atomic<int> number{0};
  T a = 0, b = 0, c = 0, d = 0, e = 0;
  std::atomic_flag set = ATOMIC_FLAG_INIT;

  void write () {
    a = 1;
    pointer.store (&a, release<BUG == 1>); // @bug1
    b = 1;
    flag.exchange (true, release<BUG == 2>); // @bug2
    c = 1;
    both.store (Both{1, 2}, release<BUG == 3>); // @bug3
    d = 1;
    int expected = 0;
    number.compare_exchange_strong (expected, 7, release<BUG == 4>); // @bug4
    e = 1;
    set.test_and_set (release<BUG == 6>); // @bug6
  }
  void read () {
    if (T *p = pointer.load (std::memory_order_acquire)) assert (*p == 1);
    if (flag.load (std::memory_order_acquire)) assert (b == 1);
    if (both.load (std::memory_order_acquire).second) assert (c == 1);
    if (number.load (acquire)) assert (d == 1); // @bug5
    if (set.test (std::memory_order_acquire)) assert (e == 1);
  }
};

Slot<int> slot;

int main () {
  std::thread t ([] { slot.write (); });
  slot.read ();
  t.join ();
}
