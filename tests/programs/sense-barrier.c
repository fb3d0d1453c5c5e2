// A barrier made of a counter and a flag.
// verdict: sc pass
// verdict: rc11 pass
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { THREADS = 3 };

static atomic_int arrived, open;
static int part[THREADS];

static void barrier (void) {
  if (atomic_fetch_add_explicit (&arrived, 1, memory_order_acq_rel) == THREADS - 1) {
    atomic_store_explicit (&open, 1, memory_order_release);
    return;
  }
  while (!atomic_load_explicit (&open, memory_order_acquire)) {
  }
}

static void *work (void *arg) {
  int me = *(int *)arg;
  part[me] = me + 1;
  barrier ();
  assert (part[0] + part[1] + part[2] == 6);
  return NULL;
}

int main (void) {
  pthread_t t[THREADS];
  int id[THREADS];
  for (int i = 0; i < THREADS; i++) {
    id[i] = i;
    pthread_create (&t[i], NULL, work, &id[i]);
  }
  for (int i = 0; i < THREADS; i++) pthread_join (t[i], NULL);
  return 0;
}
