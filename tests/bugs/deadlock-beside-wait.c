// A deadlock stays one while main waits in a loop for what will never come, also if nobody looks for such waits.
// finding: rc11 liveness
// finding[--no-liveness]: rc11 deadlock
// finding[--no-liveness]: tso deadlock
// finding[--no-liveness]: mca deadlock
// verdict[-DIN_ORDER --no-liveness]: rc11 pass
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static atomic_int done;

static void take (pthread_mutex_t *first, pthread_mutex_t *second) {
  pthread_mutex_lock (first);
  pthread_mutex_lock (second);
  pthread_mutex_unlock (second);
  pthread_mutex_unlock (first);
  done++;
}

static void *one (void *arg) {
  take (&a, &b);
  return arg;
}

static void *two (void *arg) {
#ifdef IN_ORDER
  take (&a, &b);
#else
  take (&b, &a);
#endif
  return arg;
}

int main (void) {
  pthread_t t[2];
  pthread_create (&t[0], NULL, one, NULL);
  pthread_create (&t[1], NULL, two, NULL);
  while (done < 2) continue;
  pthread_join (t[0], NULL);
  pthread_join (t[1], NULL);
}
