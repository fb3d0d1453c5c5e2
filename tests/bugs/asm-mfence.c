// The mfence instruction in inline asm is a full fence.
// expect: rc11 3/0, tso 3/0, sc 3/0
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void *one (void *unused) {
  atomic_store_explicit (&x, 1, memory_order_relaxed);
  __asm__ volatile ("mfence" ::: "memory");
  atomic_load_explicit (&y, memory_order_relaxed);
  return NULL;
}

static void *two (void *unused) {
  atomic_store_explicit (&y, 1, memory_order_relaxed);
  __asm__ volatile ("mfence" ::: "memory");
  atomic_load_explicit (&x, memory_order_relaxed);
  return NULL;
}

int main (void) {
  pthread_t t, u;
  pthread_create (&t, NULL, one, NULL);
  pthread_create (&u, NULL, two, NULL);
  pthread_join (t, NULL);
  pthread_join (u, NULL);
  return 0;
}
