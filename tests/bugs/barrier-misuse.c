// A barrier may be destroyed, and freed, by the first thread that leaves it; not while threads wait.
// verdict: rc11 pass
// verdict: sc pass
// verdict: tso pass
// verdict: ra pass
// finding[-DWAITED]: rc11 lock-misuse D|W
// finding[-DWAITED]: sc lock-misuse D|W
// finding[-DWAITED]: tso lock-misuse D|W
// finding[-DAFTER]: rc11 lock-misuse E
// finding[-DAFTER]: sc lock-misuse E
// finding[-DFEW]: rc11 liveness W
// finding[-DFEW]: sc liveness W
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_barrier_t *b;
static int x[2];

static void *thread (void *arg) {
  int me = arg != NULL;
  x[me] = 1;
  if (pthread_barrier_wait (b) == PTHREAD_BARRIER_SERIAL_THREAD) { // @W
#ifndef WAITED
    pthread_barrier_destroy (b);
#ifdef AFTER
    pthread_barrier_wait (b); // @E
#endif
    free (b);
#endif
  }
  assert (x[!me] == 1);
  return NULL;
}

int main (void) {
  pthread_t t, u;
  b = malloc (sizeof *b);
#ifdef FEW
  pthread_barrier_init (b, NULL, 3);
#else
  pthread_barrier_init (b, NULL, 2);
#endif
  pthread_create (&t, NULL, thread, NULL);
  pthread_create (&u, NULL, thread, &t);
#ifdef WAITED
  pthread_barrier_destroy (b); // @D
#endif
  pthread_join (t, NULL);
  pthread_join (u, NULL);
  return 0;
}
