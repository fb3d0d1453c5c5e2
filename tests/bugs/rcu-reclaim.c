// A reader that announces itself with a relaxed store can be missed by the thread that frees the object.
// finding[-DMO=memory_order_relaxed]: tso use-after-free
// finding[-DMO=memory_order_relaxed]: rc11 use-after-free
// verdict[-DMO=memory_order_relaxed]: sc pass
// verdict[-DMO=memory_order_seq_cst]: rc11 pass
// verdict[-DMO=memory_order_seq_cst]: tso pass
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int hazard;
static atomic_int *_Atomic object;

static void *reader (void *unused) {
  atomic_store_explicit (&hazard, 1, MO);
  atomic_int *o = atomic_load_explicit (&object, MO);
  if (o) atomic_load_explicit (o, memory_order_relaxed);
  return NULL;
}

static void *reclaimer (void *arg) {
  atomic_store_explicit (&object, NULL, MO);
  if (atomic_load_explicit (&hazard, MO) == 0) free (arg);
  return NULL;
}

int main (void) {
  pthread_t a, b;
  atomic_int *o = calloc (1, sizeof *o);
  atomic_store_explicit (&object, o, memory_order_relaxed);
  pthread_create (&a, NULL, reader, NULL);
  pthread_create (&b, NULL, reclaimer, (void *)o);
  pthread_join (a, NULL);
  pthread_join (b, NULL);
  return 0;
}
