// A loop without end, and an error of a few steps beside it. The search does not follow the loop until it has to give up,
// whatever the number of workers.
// finding[-DWHAT={1..3} --jobs={1,2,4,8}]: rc11 assert wrong
// finding[-DWHAT={1..3} --jobs={1,2}]: sc assert wrong
// finding[-DWHAT={1..3} --jobs={1,2}]: wrc11 assert wrong
// finding[-DWHAT=2 --reduce=none --jobs={1,2}]: rc11 assert wrong
// finding[-DWHAT=1 --memory=1 --jobs={1,2,4}]: rc11 assert wrong
// verdict[-DWHAT=0 --jobs={1,2,4}]: rc11 incomplete
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y, end;

static void *endless (void *arg) {
#if WHAT == 2 // stores
  for (int i = 0;; i++) atomic_store_explicit (&x, i, memory_order_relaxed);
#else // updates, until somebody ends it
  while (!atomic_load_explicit (&end, memory_order_relaxed))
    atomic_fetch_add_explicit (&x, 1, memory_order_relaxed);
#endif
  return arg;
}

static void *reader (void *arg) {
  assert (!WHAT || !atomic_load_explicit (&y, memory_order_relaxed)); // @wrong
  return arg;
}

static void *writer (void *arg) {
  atomic_store_explicit (&y, 1, memory_order_relaxed);
#if WHAT == 3
  atomic_store_explicit (&end, 1, memory_order_relaxed);
#endif
  return arg;
}

int main (void) {
  pthread_t t[3];
  pthread_create (&t[0], 0, endless, 0);
  pthread_create (&t[1], 0, reader, 0);
  pthread_create (&t[2], 0, writer, 0);
  for (int i = 0; i < 3; i++) pthread_join (t[i], 0);
}
