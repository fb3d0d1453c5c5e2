// Waiting takes a mutex that the thread holds. Here the signal can be lost, too.
// finding: rc11 lock-misuse A
// finding: sc lock-misuse A
// finding: tso lock-misuse A
// finding: ra lock-misuse A
// finding: rc11 liveness A
// finding: sc liveness A
// finding: tso liveness A
// finding: ra liveness A
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *signaller (void *unused) {
  pthread_cond_signal (&c);
  return NULL;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, signaller, NULL);
  pthread_cond_wait (&c, &m); // @A
  return 0;
}
