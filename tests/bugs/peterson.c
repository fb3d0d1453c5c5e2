// Peterson's mutual exclusion needs sc accesses; the spin loop has no annotation.
// verdict[-DMO=seq_cst -DMR=seq_cst]: sc pass
// verdict[-DMO=seq_cst -DMR=seq_cst]: tso pass
// verdict[-DMO=seq_cst -DMR=seq_cst]: rc11 pass
// verdict[-DMO=relaxed -DMR=relaxed]: sc pass
// finding[-DMO=relaxed -DMR=relaxed]: tso assert A
// finding[-DMO=relaxed -DMR=relaxed]: rc11 assert A
// finding[-DMO=release -DMR=acquire]: tso assert A
// finding[-DMO=release -DMR=acquire]: ra assert A
// finding[-DMO=release -DMR=acquire]: rc11 assert A
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define ORDER(x) ORDER_ (x)
#define ORDER_(x) memory_order_##x

static atomic_int wants[2], turn, inside;

static void *thread (void *arg) {
  int me = arg != NULL;
  atomic_store_explicit (&wants[me], 1, ORDER (MO));
  atomic_store_explicit (&turn, !me, ORDER (MO));
  while (atomic_load_explicit (&wants[!me], ORDER (MR)) &&
         atomic_load_explicit (&turn, ORDER (MR)) == !me) {
  }
  int before = atomic_load_explicit (&inside, memory_order_relaxed);
  atomic_store_explicit (&inside, before + 1, memory_order_relaxed);
  atomic_store_explicit (&wants[me], 0, ORDER (MO));
  return NULL;
}

int main (void) {
  pthread_t a, b;
  pthread_create (&a, NULL, thread, NULL);
  pthread_create (&b, NULL, thread, &inside);
  pthread_join (a, NULL);
  pthread_join (b, NULL);
  assert (atomic_load_explicit (&inside, memory_order_relaxed) == 2); // @A
  return 0;
}
