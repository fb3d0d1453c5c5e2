// A spin loop that waits for a value nobody writes.
// finding: rc11 liveness
// finding: wrc11 liveness
// finding: sc liveness
// finding[--dependencies]: rc11 liveness
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;

static void *writer (void *unused) {
  atomic_store (&flag, 1);
  return NULL;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, writer, NULL);
  while (atomic_load (&flag) != 2) {
  }
  pthread_join (t, NULL);
  return 0;
}
