// Waiting in C++20: atomics, flags, semaphores, latches and barriers.
// flags: -- -std=c++20
// verdict: rc11 pass
// finding[-DLOST]: rc11 liveness
// finding[-DEARLY]: rc11 race A|B
// finding[-DEARLY]: rc11 assert B
// finding[-DEARLY]: rc11 liveness
#include <atomic>
#include <barrier>
#include <cassert>
#include <latch>
#include <semaphore>
#include <thread>

std::atomic<int> stage;
std::atomic_flag flag;
std::binary_semaphore signal (0);
std::latch both (2);
std::barrier again (2);
int data;

int main () {
  std::thread t ([] {
    data = 1; // @A
    stage.store (1, std::memory_order_release);
    stage.notify_one ();
#ifndef LOST
    flag.test_and_set ();
    flag.notify_all ();
#endif
    signal.release ();
    both.count_down ();
    again.arrive_and_wait ();
  });
#ifdef EARLY
  stage.wait (1);
#else
  stage.wait (0, std::memory_order_acquire);
#endif
  assert (data == 1); // @B
  flag.wait (false);
  signal.acquire ();
  both.arrive_and_wait ();
  again.arrive_and_wait ();
  t.join ();
}
