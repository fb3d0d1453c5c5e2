// finding: rc11 assert fails
// finding[--engine=futures]: rc11 assert fails
// blame[--engine=futures --no-liveness --help-time=0]: rc11 fails
//
// A thread that never has to choose, and is soon back where it was, must not keep the others from moving.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int data, flag;
static int light = 1;

static void *blink (void *arg) {
  for (;;) light = !light;
  return arg;
}

static void *tell (void *arg) {
  atomic_store_explicit (&data, 1, memory_order_relaxed);
  atomic_store_explicit (&flag, 1, memory_order_relaxed);
  return arg;
}

static void *look (void *arg) {
  if (atomic_load_explicit (&flag, memory_order_relaxed))
    assert (atomic_load_explicit (&data, memory_order_relaxed)); // @fails
  return arg;
}

int main (void) {
  pthread_t t[3];
  light = 0;
  pthread_create (&t[0], NULL, blink, NULL);
  pthread_create (&t[1], NULL, tell, NULL);
  pthread_create (&t[2], NULL, look, NULL);
  for (int i = 0; i < 3; i++) pthread_join (t[i], NULL);
}
