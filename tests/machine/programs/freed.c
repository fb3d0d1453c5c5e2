// Memory that is freed while another thread uses it, and memory that is freed when a store tells that it was used: a
// load before that store can come later.
// finding: mca use-after-free use
// finding: non-mca use-after-free use
// finding: share use-after-free use
// finding[-DSTORE]: mca use-after-free use
// finding[-DSTORE]: share use-after-free use
// finding[-DSTORE --reduce=none]: mca use-after-free use
// verdict[-DTELL]: mca pass
// verdict[-DTELL]: non-mca pass
// verdict[-DTELL]: share pass
// finding[--window=1 -DTELL]: mca use-after-free use
// finding[--window=1 -DTELL]: non-mca use-after-free use
// finding[--window=1 -DTELL]: share use-after-free use
// verdict[--window=1 -DTELL -DORDER=memory_order_release]: non-mca pass
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef ORDER
#define ORDER memory_order_relaxed
#endif
static _Atomic int done;

static void *user (void *arg) {
  _Atomic int *block = arg;
#ifdef STORE
  atomic_store_explicit (block, 1, memory_order_relaxed); // @use
#else
  (void)atomic_load_explicit (block, memory_order_relaxed); // @use
#endif
  atomic_store_explicit (&done, 1, ORDER);
  return arg;
}

int main (void) {
  pthread_t t;
  _Atomic int *block = calloc (1, sizeof *block);
  pthread_create (&t, 0, user, block);
#ifdef TELL
  if (atomic_load_explicit (&done, memory_order_acquire))
#endif
    free (block);
  pthread_join (t, 0);
  return 0;
}
