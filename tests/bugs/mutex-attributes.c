// Attributes of mutexes that do not change what can happen are accepted; robust mutexes are refused by name.
// verdict: rc11 pass
// unsupported[-DROBUST]: rc11 robust mutexes
#define _GNU_SOURCE
#include <pthread.h>

int main (void) {
  pthread_mutexattr_t a;
  pthread_mutex_t m;
  pthread_mutexattr_init (&a);
  pthread_mutexattr_setpshared (&a, PTHREAD_PROCESS_PRIVATE);
  pthread_mutexattr_setprotocol (&a, PTHREAD_PRIO_INHERIT);
  pthread_mutexattr_setrobust (&a, PTHREAD_MUTEX_STALLED);
#ifdef ROBUST
  pthread_mutexattr_setrobust (&a, PTHREAD_MUTEX_ROBUST);
#endif
  pthread_mutex_init (&m, &a);
  pthread_mutexattr_destroy (&a);
  pthread_mutex_lock (&m);
  pthread_mutex_unlock (&m);
  pthread_mutex_destroy (&m);
  return 0;
}
