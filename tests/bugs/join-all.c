// A thread that waits when main returns is cut off. With --join-all it has to come to its end.
// assumed: rc11 threads-cut-off
// assumed: sc threads-cut-off
// assumed: mca threads-cut-off
// finding[--join-all]: rc11 liveness WAIT
// finding[--join-all]: mca liveness WAIT
// finding[--join-all -DLOCK]: rc11 deadlock
// assumed[-DLOCK]: rc11 threads-cut-off
// assumed[-DSETS]: rc11 nothing
// assumed[--join-all -DSETS]: rc11 nothing
// assumed[-DEXITS]: rc11 nothing
// verdict[--join-all -DEXITS]: rc11 pass
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int flag;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *waiter (void *unused) {
#ifdef LOCK
  pthread_mutex_lock (&m);
#else
  while (!atomic_load (&flag)) {} // @WAIT
#endif
  return unused;
}

int main (void) {
  pthread_t t;
  pthread_mutex_lock (&m);
  pthread_create (&t, NULL, waiter, NULL);
  pthread_detach (t);
#ifdef SETS
  atomic_store (&flag, 1);
#endif
#ifdef EXITS
  exit (0);
#endif
  return 0;
}
