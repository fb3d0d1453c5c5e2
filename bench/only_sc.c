// expect[-DN=3]: rc11 169, jam21 69
// expect[-DN=4]: rc11 4532, jam21 723
// expect[-DN=4 -DPRINTED]: rc11 8962, jam21 1890
// expect[-DN=4 -DORDER=memory_order_relaxed]: rc11 13770, jam21 1566
// expect[-DN=5]: jam21 6758
//
// only_sc(N): N threads of three seq_cst accesses each to x and y, by the four patterns of
// [JAM21-Raczkiewicz'25], Appendix E, in turn. -DORDER=memory_order_relaxed is only-rlx; -DPRINTED
// starts its third thread twice, as the program printed there does.

#include <stdatomic.h>
#include "threads.h"

#ifndef N
#define N 4
#endif
#ifndef ORDER
#define ORDER memory_order_seq_cst
#endif

static atomic_int x, y;

#define W(v, value) atomic_store_explicit (&v, value, ORDER)
#define R(v) (void)atomic_load_explicit (&v, ORDER)

static void *thread (void *arg) {
  int i = (int)(long)arg, base = 10 * i;
#ifdef PRINTED
  if (i == 3) i = 2;
#endif
  switch (i % 4) {
  case 0:
    W (x, base + 1);
    R (y);
    W (x, base + 2);
    break;
  case 1:
    R (y);
    W (x, base + 3);
    R (x);
    break;
  case 2:
    W (x, base + 4);
    W (y, base + 5);
    R (x);
    break;
  default:
    W (x, base + 6);
    W (y, base + 7);
    R (y);
    break;
  }
  return NULL;
}

int main (void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) start (&t[i], thread, i);
  join (t, N);
}
