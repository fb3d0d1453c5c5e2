// A thread polls under a mutex that it only tries to take: it waits forever.
// finding: rc11 liveness poll
// finding: sc liveness poll
// verdict[-DWRITE]: rc11 pass
// verdict[-DWRITE]: sc pass
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *poll (void *unused) {
  for (int is_done = 0; !is_done;) { // @poll
    if (pthread_mutex_trylock (&m)) continue;
    is_done = x;
    pthread_mutex_unlock (&m);
  }
  return NULL;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, poll, NULL);
  pthread_mutex_lock (&m);
#ifdef WRITE
  x = 1;
#endif
  pthread_mutex_unlock (&m);
  pthread_join (t, NULL);
}
