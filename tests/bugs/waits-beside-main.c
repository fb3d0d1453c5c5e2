// A thread that nobody joins waits forever. If main's return ends it in every execution, that is worth a warning; if main
// only ends its own thread, or waits for something itself, it is an error.
// verdict[-DMAIN={1,2} -DHOW={1,2}]: rc11 pass
// verdict[-DMAIN={1,2} -DHOW={1,2}]: sc pass
// warning[-DMAIN={1,2} -DHOW=1]: rc11 spin
// warning[-DMAIN={1,2} -DHOW=2]: rc11 lock
// finding[-DMAIN={3,4,5} -DHOW=1]: rc11 liveness
// finding[-DMAIN={3,4,5} -DHOW=1]: sc liveness
// finding[-DMAIN={3,4} -DHOW=2]: rc11 deadlock
// finding[-DMAIN=5 -DHOW=2]: rc11 liveness
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int x, y;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *wait (void *arg) {
#if HOW == 1
  while (!x); // @spin
#else
  pthread_mutex_lock (&m); // @lock
#endif
  return arg;
}

static void *hold (void *arg) {
  pthread_mutex_lock (&m);
  return arg;
}

int main (void) {
  pthread_t t;
#if HOW == 2
  pthread_create (&t, 0, hold, 0);
  pthread_join (t, 0);
#endif
  pthread_create (&t, 0, wait, 0);
  pthread_detach (t);
#if MAIN == 2
  exit (0);
#elif MAIN == 3
  pthread_exit (0);
#elif MAIN == 4
  pthread_t u;
  pthread_create (&u, 0, wait, 0);
  pthread_join (u, 0);
#elif MAIN == 5
  while (!y);
#endif
}
