// A loop that looks at a flag under a mutex waits, though it locks and unlocks in every round.
// expect: rc11 1, sc 1, tso 1, ra 1
// finding[-DFORGOTTEN]: rc11 liveness loop
// finding[-DFORGOTTEN]: sc liveness loop
// finding[-DUNLOCKED]: rc11 race
// finding[-DUNLOCKED]: rc11 assert
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int ready, data;

static void *writer (void *unused) {
#ifndef FORGOTTEN
#ifndef UNLOCKED
  pthread_mutex_lock (&m);
#endif
  data = 42;
  ready = 1;
#ifndef UNLOCKED
  pthread_mutex_unlock (&m);
#endif
#endif
  return NULL;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, writer, NULL);
  for (;;) {
    pthread_mutex_lock (&m); // @loop
    int seen = ready;
    pthread_mutex_unlock (&m);
    if (seen) break;
  }
  assert (data == 42);
  pthread_join (t, NULL);
}
