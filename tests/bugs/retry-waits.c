// Loops that wait with local state that alternates: with --skip-retries a thread stops where it has been before, and if it
// would come there again and again it waits forever.
// finding[--skip-retries -DFORM={1..6}]: sc liveness
// finding[--skip-retries -DFORM={1..6}]: rc11 liveness
// finding[--skip-retries -DFORM={1..6}]: tso liveness
// finding[--skip-retries -DFORM={1..6}]: ra liveness
// finding[--skip-retries --unroll=20 -DFORM={1..6}]: rc11 liveness
// verdict[--skip-retries --unroll=1 -DFORM=4]: rc11 incomplete
// verdict[--skip-retries -DSET -DFORM={1..6}]: sc pass
// verdict[--skip-retries -DSET -DFORM={1..6}]: rc11 pass
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x[2], y;

static void *set (void *arg) {
#ifdef SET
  x[0] = x[1] = 1;
#endif
  return arg;
}

static int ready (int i) { return x[i]; }

static void *wait (void *arg) {
  int t = 0, b = 1, zero = 0;
  (void)b, (void)zero;
#if FORM == 1 // a toggle
  while (!x[0])
    t = !t;
#elif FORM == 2 // a slot
  while (!x[t])
    t = (t + 1) % 2;
#elif FORM == 3 // a backoff
  for (; !x[0]; b = b < 8 ? 2 * b : 1)
    for (int i = 0; i < b; i++);
  t = b;
#elif FORM == 4 // a counter
  do
    t = (t + 1) % 5;
  while (!ready (0));
#elif FORM == 5 // a compare-exchange
  do {
    t = !t;
    zero = 1;
  } while (!atomic_compare_exchange_strong (&x[0], &zero, 2));
#elif FORM == 6 // a peeled iteration
  t = x[0];
  if (!t)
    do
      t ^= 2;
    while (!x[1]);
#endif
  y = t;
  return arg;
}

int main (void) {
  pthread_t a, b;
  pthread_create (&a, 0, set, 0);
  pthread_create (&b, 0, wait, 0);
  pthread_join (a, 0);
  pthread_join (b, 0);
}
