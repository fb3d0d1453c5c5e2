// MP+rel+acqf: release store and acquire fence make the plain data safe.
// expect: sc 2/0, tso 2/0, pso 2/0, sra 2/0, ra 2/0, rc11 2/0, rc20 2/0, wrc11 2/0
// expect: jam19 2, jam21 2, jam21t 2
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
  int r0 = atomic_load_explicit (&y, memory_order_relaxed);
  if (r0) {
    atomic_thread_fence (memory_order_acquire);
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
