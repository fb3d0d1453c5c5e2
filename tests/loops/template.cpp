// Waits in a template over std::atomic, with a condition that is passed as a function.
//
// flags: --engine=auto
// verdict[-DN={2,3}]: sc,tso,rc11,rc20,ra,imm pass
// verdict[-DN={2,3} -DBUG=1]: sc,rc11,rc20,ra violation
// verdict[-DN={2,3} -DBUG=1]: tso pass
// verdict[-DN={2,3} -DBUG=1]: imm violation
#include <atomic>
#include <cassert>
#include <pthread.h>
#ifndef N
#define N 2
#endif
#ifndef BUG
#define BUG 0
#endif

template <typename T, typename Condition> T await (const std::atomic<T> &a, Condition holds) {
  T v;
  while (!holds (v = a.load (BUG ? std::memory_order_relaxed : std::memory_order_acquire))) {}
  return v;
}

static std::atomic<int> ready;
static int data;

static void *waiter (void *unused) {
  int found = await (ready, [] (int v) { return v > 0; });
  assert (data == found);
  return 0;
}

int main () {
  pthread_t a, b;
  pthread_create (&a, 0, waiter, 0);
  if (N > 2) pthread_create (&b, 0, waiter, 0);
  data = 5;
  ready.store (5, std::memory_order_release);
  pthread_join (a, 0);
  if (N > 2) pthread_join (b, 0);
}
