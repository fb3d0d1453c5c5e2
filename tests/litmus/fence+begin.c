// expect: jam21 3, jam19 3, rc11 3
// expect[-DREAD]: jam21 3, jam19 3, rc11 3
// expect[-DREAD --reduce=none]: jam21 3, jam19 3, rc11 3
//
// Store buffering where one store is made before its reader is created: what the reader was created with is pushed by
// its full fence, whether or not the thread reads something before it that nobody writes (READ), which is no event.

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y;
#ifdef READ
static atomic_int z;
#endif

static void *reader (void *arg) {
#ifdef READ
  (void)atomic_load_explicit (&z, memory_order_relaxed);
#endif
  atomic_thread_fence (memory_order_seq_cst);
  (void)atomic_load_explicit (&x, memory_order_relaxed);
  return arg;
}

static void *creator (void *arg) {
  pthread_t t;
  atomic_store_explicit (&y, 1, memory_order_relaxed);
  pthread_create (&t, NULL, reader, NULL);
  return arg;
}

static void *other (void *arg) {
  atomic_store_explicit (&x, 1, memory_order_relaxed);
  atomic_thread_fence (memory_order_seq_cst);
  (void)atomic_load_explicit (&y, memory_order_relaxed);
  return arg;
}

int main (void) {
  pthread_t t[2];
  pthread_create (&t[0], NULL, creator, NULL);
  pthread_create (&t[1], NULL, other, NULL);
  pthread_join (t[0], NULL);
  pthread_join (t[1], NULL);
}
