// finding: rc11 assert fails
// finding: rc20 assert fails
// verdict: sc pass
// verdict: tso pass
// finding[--engine=futures]: rc11 assert fails
// finding[--engine=futures]: rc20 assert fails
// verdict[--engine=futures]: sc pass
// verdict[--engine=futures]: tso pass
//
// A compare-exchange that fails with a weaker order than it succeeds with: whatever is weaker than seq_cst has
// synchronised, and still not every execution is an interleaving.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_int x, y;
static bool has_failed;
static int seen;

static void *take (void *arg) {
  int expected = 0;
  has_failed = !atomic_compare_exchange_strong_explicit (&x, &expected, 1, memory_order_seq_cst, memory_order_acquire);
  y = 1;
  return arg;
}

static void *look (void *arg) {
  y = 2;
  seen = x;
  return arg;
}

static void *give (void *arg) {
  x = 1;
  return arg;
}

int main (void) {
  pthread_t a, b, c;
  pthread_create (&a, NULL, take, NULL);
  pthread_create (&b, NULL, look, NULL);
  pthread_create (&c, NULL, give, NULL);
  pthread_join (a, NULL);
  pthread_join (b, NULL);
  pthread_join (c, NULL);
  assert (!(has_failed && y == 2 && seen == 0)); // @fails
  return 0;
}
