// POSIX spinlocks: trylock, and misuse.
// verdict: rc11 pass
// verdict: sc pass
// verdict: tso pass
// verdict: ra pass
// finding[-DDESTROY]: rc11 lock-misuse D|T
// finding[-DDESTROY]: sc lock-misuse D|T
// finding[-DAGAIN]: rc11 lock-misuse A
// finding[-DAGAIN]: sc lock-misuse A
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_spinlock_t l;
static int counter, tries;

static void *thread (void *unused) {
  int result = pthread_spin_trylock (&l); // @T
  assert (result == 0 || result == EBUSY);
  if (result) return NULL;
  counter++;
  pthread_spin_unlock (&l);
  return NULL;
}

int main (void) {
  pthread_t t;
  pthread_spin_init (&l, PTHREAD_PROCESS_PRIVATE);
  pthread_create (&t, NULL, thread, NULL);
  pthread_spin_lock (&l);
#ifdef AGAIN
  pthread_spin_lock (&l); // @A
#endif
  counter++;
  pthread_spin_unlock (&l);
#ifdef DESTROY
  pthread_spin_destroy (&l); // @D
#endif
  pthread_join (t, NULL);
#ifndef DESTROY
  pthread_spin_destroy (&l);
#endif
  return 0;
}
