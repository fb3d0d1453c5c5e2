// verdict: rc11 pass
// verdict[-DN=3]: rc11 pass
// verdict[-DN=3]: tso pass
// finding[-DBUG=1]: rc11 assert torn
// finding[-DBUG=2]: rc11 assert torn
// finding[-DBUG=3]: rc11 assert torn
// finding[-DBUG=4]: rc11 assert torn
// verdict[-DBUG=1]: tso pass
// verdict[-DBUG=2]: tso pass
// finding[-DBUG=3]: sc assert torn
// fix[-DBUG=1]: rc11 bug1
// fix[-DBUG=2]: rc11 bug2
// fix[-DBUG=3 --edits --help-time=55]: rc11 bug3
// fix[-DBUG=4]: rc11 bug4
// blame[-DBUG=3]: sc bug3
//
// A sequence lock: the writer makes the number odd, writes, and makes it even again. Readers write
// nothing; they read again if the number was odd or has changed meanwhile. They never see half of
// an update. The data is atomic, as it is read while it is written.
//
// BUG 1: the reader has no fence between the data and the second look at the number.
// BUG 2: the writer has no fence between the odd number and the data.
// BUG 3: the reader does not mind an odd number.
// BUG 4: the writer publishes the even number without the data.

#include "structures.h"

static atomic_int sequence, a, b;

static void publish (int value) {
  int s = atomic_load_explicit (&sequence, memory_order_relaxed);
  atomic_store_explicit (&sequence, s + 1, memory_order_relaxed);
  if (BUG != 2) atomic_thread_fence (memory_order_release); // @bug2
  atomic_store_explicit (&a, value, memory_order_relaxed);
  atomic_store_explicit (&b, value, memory_order_relaxed);
  atomic_store_explicit (&sequence, s + 2, ORDER (release, 4)); // @bug4
}

static void look (int *x, int *y) {
  int before, after;
  do {
    do {
      before = atomic_load_explicit (&sequence, memory_order_acquire);
    } while (before % 2 && BUG != 3); // @bug3
    *x = atomic_load_explicit (&a, memory_order_relaxed);
    *y = atomic_load_explicit (&b, memory_order_relaxed);
    if (BUG != 1) atomic_thread_fence (memory_order_acquire); // @bug1
    after = atomic_load_explicit (&sequence, memory_order_relaxed);
  } while (before != after);
}

static void *writer (void *arg) {
  publish (1);
  publish (2);
  return arg;
}

static void *reader (void *arg) {
  int x, y;
  look (&x, &y);
  assert (x == y); // @torn
  return arg;
}

int main (void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) start (&t[i], i ? reader : writer, i);
  join (t, N);
}
