// std::atomic of integers, pointers and structs, std::atomic_ref, std::atomic_flag.
// flags: -- -std=c++20
// verdict: rc11 pass
// finding[-DRELAXED]: rc11 race A|B
// finding[-DRELAXED]: rc11 assert B
#include <atomic>
#include <cassert>
#include <thread>

struct Small {
  int a, b;
};
struct alignas (16) Large {
  Small *where;
  unsigned long count;
};

#ifdef RELAXED
constexpr auto publish = std::memory_order_relaxed;
#else
constexpr auto publish = std::memory_order_release;
#endif

std::atomic<Small> small{Small{1, 2}};
std::atomic<Large> large;
std::atomic<Small *> pointer;
std::atomic_flag flag = ATOMIC_FLAG_INIT;
Small target;
int plain;

static void other () {
  target.a = 5; // @A
  pointer.store (&target, publish);
  Large l = large.load ();
  l.count++;
  large.store (l);
  std::atomic_ref<int> (plain).fetch_add (1);
  while (flag.test_and_set (std::memory_order_acquire)) continue;
  flag.clear (std::memory_order_release);
}

int main () {
  std::thread t (other);
  Small s = small.load ();
  assert (s.a == 1 && small.compare_exchange_strong (s, Small{3, 4}) && small.load ().b == 4);
  if (Small *p = pointer.load (std::memory_order_acquire)) assert (p->a == 5); // @B
  std::atomic_ref<int> (plain).fetch_add (1);
  t.join ();
  assert (plain == 2 && large.load ().count == 1);
}
