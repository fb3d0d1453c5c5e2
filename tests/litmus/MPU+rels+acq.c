// MPU+rels+acq: an update continues a release sequence that a relaxed store of the same thread continued.
// expect: rc11 12/0, wrc11 12/0
// expect: jam19 13, jam21 13, jam21t 12
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
  atomic_fetch_add_explicit (&y, 1, memory_order_relaxed);
  return NULL;
}

static void *thread2 (void *unused) {
  int r0 = atomic_load_explicit (&y, memory_order_acquire);
  if (r0 > 1) {
    x = 2;
  }
  return NULL;
}

int main (void) {
  pthread_t t[3];

  pthread_create (&t[0], NULL, thread0, NULL);
  pthread_create (&t[1], NULL, thread1, NULL);
  pthread_create (&t[2], NULL, thread2, NULL);
  pthread_join (t[0], NULL);
  pthread_join (t[1], NULL);
  pthread_join (t[2], NULL);
  return 0;
}
