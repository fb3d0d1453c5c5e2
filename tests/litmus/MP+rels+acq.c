// MP+rels+acq: a relaxed store after a release store of the same thread continues its release sequence, until C++20.
// expect: rc11 3/0, wrc11 3/0
// expect: jam19 4, jam21 4, jam21t 3
// finding: rc20 race
#include <pthread.h>
#include <stdatomic.h>

static atomic_int y;
static int x;

static void *thread0 (void *unused) {
  x = 1;
  atomic_store_explicit (&y, 0, memory_order_release);
  atomic_store_explicit (&y, 1, memory_order_relaxed);
  return NULL;
}

static void *thread1 (void *unused) {
  int r0 = atomic_load_explicit (&y, memory_order_acquire);
  if (r0) {
    int value = x;
    (void)value;
  }
  return NULL;
}

int main (void) {
  pthread_t t[2];

  pthread_create (&t[0], NULL, thread0, NULL);
  pthread_create (&t[1], NULL, thread1, NULL);
  pthread_join (t[0], NULL);
  pthread_join (t[1], NULL);
  return 0;
}
