// As condition-spurious.c, of std::condition_variable; a wait with a predicate looks again, and so does wait of an atomic.
// flags: -- -std=c++20
// assumed: rc11 spurious-wakeups, new-succeeds
// finding[--spurious]: rc11 assert HERE
// finding[--spurious -DANY]: rc11 assert HERE
// assumed[--spurious -DPREDICATE]: rc11 new-succeeds
// assumed[-DATOMIC]: rc11 new-succeeds
// verdict[-DATOMIC --spurious]: rc11 pass
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex m;
#ifdef ANY
std::condition_variable_any c;
#else
std::condition_variable c;
#endif
std::atomic<int> item;

int main () {
  std::thread producer ([] {
    m.lock ();
    item = 1;
    c.notify_one ();
    item.notify_one ();
    m.unlock ();
  });
#ifdef ATOMIC
  item.wait (0);
#else
  std::unique_lock<std::mutex> lock (m);
#ifdef PREDICATE
  c.wait (lock, [] { return item != 0; });
#else
  if (!item) c.wait (lock);
#endif
#endif
  assert (item == 1); // @HERE
#ifndef ATOMIC
  lock.unlock ();
#endif
  producer.join ();
  return 0;
}
