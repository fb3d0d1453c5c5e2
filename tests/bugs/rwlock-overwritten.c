// A read-write lock that a writer holds must not be overwritten, whatever with.
// finding[-DHOW={1..3}]: rc11 lock-misuse A
// finding[-DHOW={1..3}]: sc lock-misuse A
// finding[-DHOW={1..3}]: tso lock-misuse A
// finding[-DHOW={1..3}]: mca lock-misuse A
// verdict[-DHOW=0]: rc11 pass
// verdict[-DHOW=0]: tso pass
// verdict[-DHOW=0]: mca pass
#include <pthread.h>
#include <string.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

static void *reader (void *unused) {
  pthread_rwlock_rdlock (&l);
  pthread_rwlock_unlock (&l);
  return unused;
}

int main (void) {
  pthread_t t;
  memset (&l, 0, sizeof l);
  if (HOW == 0) pthread_create (&t, NULL, reader, NULL);
  pthread_rwlock_wrlock (&l);
#if HOW == 1
  memset (&l, 0, sizeof l); // @A
#elif HOW == 2
  l = (pthread_rwlock_t)PTHREAD_RWLOCK_INITIALIZER; // @A
#elif HOW == 3
  pthread_rwlock_init (&l, NULL); // @A
#endif
  pthread_rwlock_unlock (&l);
  if (HOW == 0) pthread_join (t, NULL);
  return 0;
}
