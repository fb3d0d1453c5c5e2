// cat/jam21.cat says by final writes that a thread reads what it wrote last: rules that hold of complete executions only. An
// execution that ends with the failing assertion is one.
// verdict: jam21 pass
// verdict: cat/jam21.cat pass
// finding[-DBUG]: jam21 assert A
// finding[-DBUG]: cat/jam21.cat assert A
#include <assert.h>
#include <stdatomic.h>

static atomic_int x;

int main (void) {
  atomic_store_explicit (&x, 1, memory_order_relaxed);
  atomic_store_explicit (&x, 2, memory_order_relaxed);
#ifdef BUG
  assert (atomic_load_explicit (&x, memory_order_relaxed) != 2); // @A
#else
  assert (atomic_load_explicit (&x, memory_order_relaxed) == 2);
#endif
  return 0;
}
