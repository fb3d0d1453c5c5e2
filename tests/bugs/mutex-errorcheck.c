// A mutex that checks for errors returns them: locked by its holder, unlocked by others.
// verdict: rc11 pass
// verdict: sc pass
// verdict: tso pass
// verdict: ra pass
// verdict[-DSTATIC]: rc11 pass
// verdict[-DSTATIC]: sc pass
// verdict[--reduce=none]: rc11 pass
// finding[-DDEFAULT]: rc11 lock-misuse A
// finding[-DDEFAULT]: sc lock-misuse A
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t m
#ifdef STATIC
    = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP
#endif
    ;
static int counter;

static void *thread (void *unused) {
  assert (pthread_mutex_unlock (&m) == EPERM);
  assert (pthread_mutex_lock (&m) == 0);
  counter++;
  assert (pthread_mutex_lock (&m) == EDEADLK);
  assert (pthread_mutex_trylock (&m) == EBUSY);
  assert (pthread_mutex_unlock (&m) == 0);
  return NULL;
}

int main (void) {
  pthread_t t;
#ifndef STATIC
  pthread_mutexattr_t a;
  int type;
  pthread_mutexattr_init (&a);
#ifndef DEFAULT
  pthread_mutexattr_settype (&a, PTHREAD_MUTEX_ERRORCHECK);
  assert (!pthread_mutexattr_gettype (&a, &type) && type == PTHREAD_MUTEX_ERRORCHECK);
#endif
  pthread_mutex_init (&m, &a);
  pthread_mutexattr_destroy (&a);
#endif
#ifdef DEFAULT
  pthread_mutex_lock (&m);
  pthread_mutex_lock (&m); // @A
#endif
  pthread_create (&t, NULL, thread, NULL);
  thread (NULL);
  pthread_join (t, NULL);
  assert (counter == 2);
  pthread_mutex_destroy (&m);
  return 0;
}
