// MPU+rel+acq: a relaxed update of another thread continues the release sequence.
// expect: sc 6/0, tso 6/0, pso 6/0, sra 6/0, ra 6/0, rc11 6/0, rc20 6/0, wrc11 6/0
// expect: jam19 6, jam21 6, jam21t 6
#include <pthread.h>
#include <stdatomic.h>

static atomic_int y;
static int x;

static void *thread0 (void *unused) {
  x = 1;
  atomic_store_explicit (&y, 1, memory_order_release);
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
