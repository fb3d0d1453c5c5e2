// expect: rc11 1296, rc20 1296, imm 1296, wkmo2 1296, xmm 1296
//
// reorder2: two threads write a, then b; two threads look whether both are old or both are new. No
// thread writes after it has read, so there is no LB race and nothing for XMM to add.

#include <stdatomic.h>
#include "threads.h"

static atomic_int a, b;

static int load (atomic_int *p) { return atomic_load_explicit (p, memory_order_relaxed); }

static void *setter (void *unused) {
  atomic_store_explicit (&a, 1, memory_order_relaxed);
  atomic_store_explicit (&b, -1, memory_order_relaxed);
  return NULL;
}

static void *checker (void *unused) {
  if (load (&a) == 0 && load (&b) == 0) return NULL;
  if (load (&a) == 1) load (&b);
  return NULL;
}

int main (void) {
  pthread_t t[4];
  for (int i = 0; i < 4; i++) start (&t[i], i < 2 ? setter : checker, i);
  join (t, 4);
}
