// Two observers disagree on the order of two independent release stores; with sc accesses they cannot.
// finding[-DMW=release -DMR=acquire]: rc11 assert A
// finding[-DMW=release -DMR=acquire]: ra assert A
// verdict[-DMW=release -DMR=acquire]: tso pass
// verdict[-DMW=seq_cst -DMR=seq_cst]: rc11 pass
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define ORDER(x) ORDER_ (x)
#define ORDER_(x) memory_order_##x

static atomic_int x, y;
static int first[2], second[2];

static void *write_x (void *unused) {
  atomic_store_explicit (&x, 1, ORDER (MW));
  return NULL;
}

static void *write_y (void *unused) {
  atomic_store_explicit (&y, 1, ORDER (MW));
  return NULL;
}

static void *read_xy (void *unused) {
  first[0] = atomic_load_explicit (&x, ORDER (MR));
  second[0] = atomic_load_explicit (&y, ORDER (MR));
  return NULL;
}

static void *read_yx (void *unused) {
  first[1] = atomic_load_explicit (&y, ORDER (MR));
  second[1] = atomic_load_explicit (&x, ORDER (MR));
  return NULL;
}

int main (void) {
  void *(*const run[]) (void *) = {write_x, write_y, read_xy, read_yx};
  pthread_t t[4];
  for (int i = 0; i < 4; i++) pthread_create (&t[i], NULL, run[i], NULL);
  for (int i = 0; i < 4; i++) pthread_join (t[i], NULL);
  assert (!(first[0] && !second[0] && first[1] && !second[1])); // @A
  return 0;
}
