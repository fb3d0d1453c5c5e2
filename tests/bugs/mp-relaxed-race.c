// Message passing with a relaxed flag: the plain data races.
// finding: rc11 race R|W
// finding: rc20 race R|W
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int ready;

static void *producer (void *unused) {
  data = 42; // @W
  atomic_store_explicit (&ready, 1, memory_order_relaxed);
  return NULL;
}

static void *consumer (void *unused) {
  int seen = 42;
  if (atomic_load_explicit (&ready, memory_order_acquire)) seen = data; // @R
  return seen ? NULL : &data;
}

int main (void) {
  pthread_t p, c;
  pthread_create (&p, NULL, producer, NULL);
  pthread_create (&c, NULL, consumer, NULL);
  pthread_join (p, NULL);
  pthread_join (c, NULL);
  return 0;
}
