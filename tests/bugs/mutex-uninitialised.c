// Locks in memory of malloc have to be initialised.
// verdict: rc11 pass
// verdict: sc pass
// verdict: tso pass
// verdict: ra pass
// finding[-DFORGOTTEN]: rc11 uninitialised A
// finding[-DFORGOTTEN]: sc uninitialised A
// finding[-DFORGOTTEN]: tso uninitialised A
// finding[-DFORGOTTEN]: ra uninitialised A
// finding[-DFORGOTTEN --reduce=none]: rc11 uninitialised A
#include <pthread.h>
#include <stdlib.h>

static void *thread (void *arg) {
  pthread_mutex_t *m = arg;
  pthread_mutex_lock (m); // @A
  pthread_mutex_unlock (m);
  return NULL;
}

int main (void) {
  pthread_t t, u;
  pthread_mutex_t *m = malloc (sizeof *m);
#ifndef FORGOTTEN
  pthread_mutex_init (m, NULL);
#endif
  pthread_create (&t, NULL, thread, m);
  pthread_create (&u, NULL, thread, m);
  pthread_join (t, NULL);
  pthread_join (u, NULL);
  free (m);
  return 0;
}
