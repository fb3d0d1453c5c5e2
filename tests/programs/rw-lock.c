// A reader-writer lock made of one counter.
// verdict: sc pass
// verdict: rc11 pass
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { WRITER = 1000 };

static atomic_int lock;
static int x, y;

static void *reader (void *unused) {
  while (atomic_fetch_add_explicit (&lock, 1, memory_order_acquire) >= WRITER) {
    atomic_fetch_sub_explicit (&lock, 1, memory_order_relaxed);
    while (atomic_load_explicit (&lock, memory_order_relaxed) >= WRITER) {
    }
  }
  assert (x == y);
  atomic_fetch_sub_explicit (&lock, 1, memory_order_release);
  return NULL;
}

static void *writer (void *unused) {
  int expected = 0;
  while (!atomic_compare_exchange_strong_explicit (&lock, &expected, WRITER, memory_order_acquire,
                                                   memory_order_relaxed))
    expected = 0;
  x = 1;
  y = 1;
  atomic_fetch_sub_explicit (&lock, WRITER, memory_order_release);
  return NULL;
}

int main (void) {
  pthread_t r, w;
  pthread_create (&r, NULL, reader, NULL);
  pthread_create (&w, NULL, writer, NULL);
  pthread_join (r, NULL);
  pthread_join (w, NULL);
  return 0;
}
