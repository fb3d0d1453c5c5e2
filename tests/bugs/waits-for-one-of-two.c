// Two unordered stores to the same location: either can be the final one, also where the model has no order of stores.
// finding: sc liveness wait
// finding: rc11 liveness wait
// finding: wrc11 liveness wait
// finding: jam19 liveness wait
// finding: jam21 liveness wait
// finding: imm liveness wait
// finding[--reduce=none]: wrc11 liveness wait
// finding[--reduce=none]: jam19 liveness wait
// finding[--reduce=none]: jam21 liveness wait
// verdict[-DANY]: sc pass
// verdict[-DANY]: rc11 pass
// verdict[-DANY]: wrc11 pass
// verdict[-DANY]: jam19 pass
// verdict[-DANY]: jam21 pass
// verdict[-DORDERED]: sc pass
// verdict[-DORDERED]: rc11 pass
// verdict[-DORDERED]: wrc11 pass
// verdict[-DORDERED]: jam19 pass
// verdict[-DORDERED]: jam21 pass
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *one (void *arg) {
  atomic_store_explicit (&x, 1, memory_order_relaxed);
  return arg;
}

static void *two (void *arg) {
  atomic_store_explicit (&x, 2, memory_order_relaxed);
  return arg;
}

static int seen (void) { return atomic_load_explicit (&x, memory_order_relaxed); }

int main (void) {
  pthread_t a, b;
  pthread_create (&a, 0, one, 0);
#ifdef ORDERED
  pthread_join (a, 0);
#endif
  pthread_create (&b, 0, two, 0);
#ifdef ANY
  while (!seen ());
#else
  while (seen () != 2); // @wait
#endif
#ifndef ORDERED
  pthread_join (a, 0);
#endif
  pthread_join (b, 0);
}
