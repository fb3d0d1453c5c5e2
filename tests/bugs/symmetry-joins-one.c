// Threads run the same code, but main waits for the first one alone: it may have been the last.
// finding: rc11 assert last
// finding: sc assert last
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *increment (void *unused) {
  atomic_fetch_add (&x, 1);
  return NULL;
}

int main (void) {
  pthread_t a, b;
  pthread_create (&a, NULL, increment, NULL);
  pthread_create (&b, NULL, increment, NULL);
  pthread_join (a, NULL);
  assert (x == 1); // @last
  pthread_join (b, NULL);
}
