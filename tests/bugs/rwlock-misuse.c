// Read-write locks: a thread may read again, and nothing else twice.
// verdict: rc11 pass
// verdict: sc pass
// verdict: tso pass
// verdict: ra pass
// finding[-DUPGRADE]: rc11 lock-misuse A
// finding[-DUPGRADE]: sc lock-misuse A
// finding[-DUPGRADE]: tso lock-misuse A
// finding[-DUPGRADE]: ra lock-misuse A
// finding[-DDOWNGRADE]: rc11 lock-misuse B
// finding[-DDOWNGRADE]: sc lock-misuse B
// finding[-DUNLOCK]: rc11 lock-misuse C
// finding[-DUNLOCK]: sc lock-misuse C
// finding[-DDESTROY]: rc11 lock-misuse D|L
// finding[-DDESTROY]: sc lock-misuse D|L
// finding[-DAFTER]: rc11 lock-misuse E
// finding[-DAFTER]: sc lock-misuse E
// finding[-DFORGOTTEN]: rc11 uninitialised L
// finding[-DFORGOTTEN]: sc uninitialised L
// verdict[--reduce=none]: rc11 pass
#include <pthread.h>
#include <stdlib.h>

static pthread_rwlock_t *l;
static int x;

static void *thread (void *unused) {
  pthread_rwlock_rdlock (l); // @L
  int seen = x;
  pthread_rwlock_rdlock (l);
  pthread_rwlock_unlock (l);
#ifdef UPGRADE
  pthread_rwlock_wrlock (l); // @A
#endif
  pthread_rwlock_unlock (l);
  pthread_rwlock_wrlock (l);
  x = seen + 1;
#ifdef DOWNGRADE
  pthread_rwlock_rdlock (l); // @B
#endif
  pthread_rwlock_unlock (l);
#ifdef UNLOCK
  pthread_rwlock_unlock (l); // @C
#endif
  return NULL;
}

int main (void) {
  pthread_t t;
  l = malloc (sizeof *l);
#ifndef FORGOTTEN
  pthread_rwlock_init (l, NULL);
#endif
  pthread_create (&t, NULL, thread, NULL);
#ifdef DESTROY
  pthread_rwlock_destroy (l); // @D
#endif
  pthread_join (t, NULL);
#ifndef DESTROY
  pthread_rwlock_destroy (l);
#endif
#ifdef AFTER
  pthread_rwlock_wrlock (l); // @E
#endif
  free (l);
  return 0;
}
