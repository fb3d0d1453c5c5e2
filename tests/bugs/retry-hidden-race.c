// finding: rc11 race
// finding: sc race
// finding[--skip-retries]: rc11 race
// finding[--skip-retries]: sc race
//
// A round in vain reads d[1]; the next one succeeds, with 2, and only then does the reader say that
// d[1] may be written, by a relaxed store. The same execution without that round has no race, so
// --skip-retries must not leave it out.

#include <pthread.h>
#include <stdatomic.h>

static atomic_int x = 1, y;
static int d[2];

static void *reader (void *arg) {
  int o = atomic_load_explicit (&x, memory_order_relaxed), sum = 0;
  do {
    sum = d[o & 1];
  } while (!atomic_compare_exchange_strong_explicit (&x, &o, 5, memory_order_relaxed,
                                                     memory_order_relaxed));
  if (o == 2) atomic_store_explicit (&y, 1 + sum, memory_order_relaxed);
  return arg;
}

static void *changer (void *arg) {
  atomic_store_explicit (&x, 2, memory_order_relaxed);
  return arg;
}

static void *writer (void *arg) {
  if (atomic_load_explicit (&y, memory_order_relaxed) == 1) d[1] = 7;
  return arg;
}

int main (void) {
  pthread_t a, b, c;
  pthread_create (&a, NULL, reader, NULL);
  pthread_create (&b, NULL, changer, NULL);
  pthread_create (&c, NULL, writer, NULL);
  pthread_join (a, NULL);
  pthread_join (b, NULL);
  pthread_join (c, NULL);
}
