// The heart of Dekker's algorithm: with anything but sc accesses both threads can enter.
// verdict[-DMO=relaxed -DMR=relaxed]: sc pass
// finding[-DMO=relaxed -DMR=relaxed]: tso assert A
// finding[-DMO=relaxed -DMR=relaxed]: pso assert A
// finding[-DMO=relaxed -DMR=relaxed]: ra assert A
// finding[-DMO=relaxed -DMR=relaxed]: rc11 assert A
// finding[-DMO=release -DMR=acquire]: tso assert A
// finding[-DMO=release -DMR=acquire]: rc11 assert A
// verdict[-DMO=seq_cst -DMR=seq_cst]: sc pass
// verdict[-DMO=seq_cst -DMR=seq_cst]: tso pass
// verdict[-DMO=seq_cst -DMR=seq_cst]: pso pass
// verdict[-DMO=seq_cst -DMR=seq_cst]: rc11 pass
// verdict[-DMO=seq_cst -DMR=seq_cst]: rc20 pass
// verdict[-DMO=seq_cst -DMR=seq_cst]: wrc11 pass
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define ORDER(x) ORDER_ (x)
#define ORDER_(x) memory_order_##x

static atomic_int wants[2], inside;

static void *enter (void *arg) {
  int me = arg != NULL;
  atomic_store_explicit (&wants[me], 1, ORDER (MO));
  if (atomic_load_explicit (&wants[!me], ORDER (MR)) == 0) {
    assert (atomic_fetch_add_explicit (&inside, 1, memory_order_relaxed) == 0); // @A
  }
  return NULL;
}

int main (void) {
  pthread_t a, b;
  pthread_create (&a, NULL, enter, NULL);
  pthread_create (&b, NULL, enter, &inside);
  pthread_join (a, NULL);
  pthread_join (b, NULL);
  return 0;
}
