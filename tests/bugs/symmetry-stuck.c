// Equal threads, the first to begin never ends. Main gets behind its first join only if that is the
// second thread, and does then what it does behind no other join.
// finding: rc11 assert second
// finding: sc assert second
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int x;

static void *run (void *unused) {
  if (!atomic_fetch_add (&x, 1)) exit (0);
  return &x;
}

int main (void) {
  pthread_t a, b;
  void *result;
  pthread_create (&a, NULL, run, NULL);
  pthread_create (&b, NULL, run, NULL);
  pthread_join (a, &result);
  assert (!result); // @second
  pthread_join (b, NULL);
}
