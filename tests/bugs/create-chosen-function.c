// The function of a new thread is chosen by what another thread wrote: both choices must run.
// finding: rc11 assert A
// finding: sc assert A
// finding: wrc11 assert A
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;

static void *harmless (void *unused) { return unused; }

static void *wrong (void *unused) {
  assert (0); // @A
  return unused;
}

static void *writer (void *unused) {
  atomic_store (&x, 1);
  return unused;
}

int main (void) {
  pthread_t a, b;
  pthread_create (&a, NULL, writer, NULL);
  pthread_create (&b, NULL, atomic_load (&x) ? wrong : harmless, NULL);
  pthread_join (a, NULL);
  pthread_join (b, NULL);
}
