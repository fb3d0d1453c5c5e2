// A spin loop over two locations reads one of them in vain; what happens once the loop has ended writes it plainly.
// finding: rc11 race A
// finding: ra race A
// finding: rc20 race A
// finding: sc race A
// finding[--engine=futures]: rc11 race A
// finding[--engine=futures]: ra race A
// finding[--engine=futures]: rc20 race A
// finding[--engine=futures]: sc race A
// finding[--reduce=none]: rc11 race A
// finding[--reduce=none]: sc race A
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;
static int y;

static void *waiter (void *unused) {
  while (!atomic_load_explicit (&x, memory_order_relaxed) && !__atomic_load_n (&y, __ATOMIC_RELAXED)) {
  }
  atomic_store_explicit (&x, 4, memory_order_relaxed);
  return unused;
}

static void *writer (void *unused) {
  atomic_store_explicit (&x, 1, memory_order_relaxed);
  if (atomic_load_explicit (&x, memory_order_relaxed) == 4) y = 1; // @A
  return unused;
}

int main (void) {
  pthread_t a, b;
  pthread_create (&a, NULL, waiter, NULL);
  pthread_create (&b, NULL, writer, NULL);
  pthread_join (a, NULL);
  pthread_join (b, NULL);
  return 0;
}
