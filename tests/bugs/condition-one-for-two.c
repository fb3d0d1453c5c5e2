// One condition variable for two kinds of waiting threads: a signal may wake one of the wrong kind, and is lost.
// finding: rc11 liveness
// finding: sc liveness
// finding: tso liveness
// finding: ra liveness
// verdict[-DBROADCAST]: rc11 pass
// verdict[-DBROADCAST]: sc pass
// verdict[-DBROADCAST]: tso pass
// verdict[-DBROADCAST]: ra pass
// verdict[-DBROADCAST --spurious]: rc11 pass
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int have;

static void change (int to) {
  pthread_mutex_lock (&m);
  while (have == to) pthread_cond_wait (&changed, &m);
  have = to;
#ifdef BROADCAST
  pthread_cond_broadcast (&changed);
#else
  pthread_cond_signal (&changed);
#endif
  pthread_mutex_unlock (&m);
}

static void *produce (void *unused) {
  change (1);
  return NULL;
}

static void *consume (void *unused) {
  change (0);
  return NULL;
}

int main (void) {
  pthread_t t[4];
  for (int i = 0; i < 4; i++) pthread_create (&t[i], NULL, i < 2 ? produce : consume, NULL);
  for (int i = 0; i < 4; i++) pthread_join (t[i], NULL);
  return 0;
}
