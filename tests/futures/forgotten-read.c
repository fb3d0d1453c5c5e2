// finding: rc11 race read|write
// finding[--engine=futures]: rc11 race read|write
// finding[--engine=futures]: rc20 race read|write
// finding[--engine=futures]: ra race read|write
//
// Who knows of a read matters even when nobody can tell otherwise what was known: `later` may have
// seen `flag` by its acquire load, or only by the relaxed one after it, which does not order the
// plain read before the plain write.
#include <pthread.h>
#include <stdatomic.h>

static int x;
static atomic_int flag;

static void *reader (void *arg) {
  int r = x; // @read
  (void)r;
  atomic_store_explicit (&flag, 1, memory_order_release);
  return arg;
}

static void *later (void *arg) {
  atomic_load_explicit (&flag, memory_order_acquire);
  if (atomic_load_explicit (&flag, memory_order_relaxed)) x = 1; // @write
  return arg;
}

int main (void) {
  pthread_t t[2];
  pthread_create (&t[0], 0, reader, 0);
  pthread_create (&t[1], 0, later, 0);
  pthread_join (t[0], 0);
  pthread_join (t[1], 0);
}
