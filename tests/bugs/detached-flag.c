// A detached worker tells by a flag that it is done.
// verdict: rc11 pass
// verdict: sc pass
// verdict: tso pass
// verdict: ra pass
// finding[-DRELAXED]: rc11 race
// finding[-DRELAXED]: rc11 assert
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int result;
static atomic_int done;

static void *worker (void *unused) {
  result = 42;
#ifdef RELAXED
  atomic_store_explicit (&done, 1, memory_order_relaxed);
#else
  atomic_store_explicit (&done, 1, memory_order_release);
#endif
  return NULL;
}

int main (void) {
  pthread_t t;
  pthread_attr_t a;
  pthread_attr_init (&a);
  pthread_attr_setdetachstate (&a, PTHREAD_CREATE_DETACHED);
  pthread_create (&t, &a, worker, NULL);
  while (!atomic_load_explicit (&done, memory_order_acquire)) continue;
  assert (result == 42);
  return 0;
}
