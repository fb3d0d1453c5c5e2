// std::thread, std::jthread and the locks of C++: lock_guard, unique_lock, scoped_lock, shared_mutex, call_once,
// condition_variable.
// flags: -- -std=c++20
// verdict: rc11 pass
// finding[-DUNLOCKED]: rc11 race A
// finding[-DUNLOCKED]: rc11 assert
// finding[-DABBA]: rc11 deadlock
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <vector>

std::mutex m, n;
std::shared_mutex shared;
std::condition_variable ready_changed;
std::once_flag once;
bool ready;
int inits, sum, table = 1;

static void worker (int amount) {
  std::call_once (once, [] { inits++; });
  {
#ifndef UNLOCKED
    std::lock_guard<std::mutex> guard (m);
#endif
    sum += amount; // @A
  }
  {
#ifdef ABBA
    std::lock_guard first (m), second (n);
#else
    std::scoped_lock both (m, n);
#endif
  }
  std::shared_lock reader (shared);
  assert (table > 0);
}

int main () {
  std::vector<std::thread> threads;
  threads.emplace_back (worker, 1);
  {
    std::jthread other ([] {
#ifdef ABBA
      std::lock_guard first (n), second (m);
#else
      std::lock_guard guard (m);
      ready = true;
      ready_changed.notify_one ();
#endif
    });
#ifndef ABBA
    std::unique_lock<std::mutex> lock (m);
    ready_changed.wait (lock, [] { return ready; });
    sum += 2; // @A
#endif
  }
  {
    std::unique_lock writer (shared);
    table++;
  }
  for (auto &t : threads) t.join ();
  assert (inits == 1);
#ifndef ABBA
  assert (sum == 3);
#endif
}
