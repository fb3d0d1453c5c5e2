// A read-write lock that is held must not be overwritten, whatever with and by whom.
// finding[-DHOW={1..3} -DLOCK={rdlock,wrlock,tryrdlock}]: rc11 lock-misuse A
// finding[-DHOW={1..3} -DLOCK={rdlock,wrlock}]: sc lock-misuse A
// finding[-DHOW={1..3} -DLOCK={rdlock,wrlock}]: tso lock-misuse A
// finding[-DHOW={1..3} -DLOCK={rdlock,wrlock}]: mca lock-misuse A
// finding[-DHOW={1..3} -DLOCK={rdlock,wrlock} -DOTHER --engine={explore,futures}]: rc11 lock-misuse A
// finding[-DHOW={1..3} -DLOCK={rdlock,wrlock} -DOTHER]: mca lock-misuse A
// verdict[-DHOW=0 -DLOCK={rdlock,wrlock}]: rc11 pass
// verdict[-DHOW=0 -DLOCK={rdlock,wrlock}]: tso pass
// verdict[-DHOW=0 -DLOCK={rdlock,wrlock}]: mca pass
// verdict[-DHOW=0 -DLOCK={rdlock,wrlock} -DOTHER]: rc11 pass
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#define CONCAT(a, b) a##b
#define CALL(name) CONCAT (pthread_rwlock_, name) (&l)

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static atomic_int is_held, is_overwritten;

static void *reader (void *unused) {
  pthread_rwlock_rdlock (&l);
  pthread_rwlock_unlock (&l);
  return unused;
}

static void *holder (void *unused) {
  CALL (LOCK);
  is_held = 1;
  while (!is_overwritten) {
  }
  pthread_rwlock_unlock (&l);
  return unused;
}

static void overwrite (void) {
#if HOW == 1
  memset (&l, 0, sizeof l); // @A
#elif HOW == 2
  l = (pthread_rwlock_t)PTHREAD_RWLOCK_INITIALIZER; // @A
#elif HOW == 3
  pthread_rwlock_init (&l, NULL); // @A
#endif
}

int main (void) {
  pthread_t t;
  memset (&l, 1, sizeof l); // any value
  memset (&l, 0, sizeof l);
#ifdef OTHER
  pthread_create (&t, NULL, holder, NULL);
  while (!is_held) {
  }
  overwrite ();
  is_overwritten = 1;
  pthread_join (t, NULL);
#else
  if (HOW == 0) pthread_create (&t, NULL, reader, NULL);
  CALL (LOCK);
  overwrite ();
  pthread_rwlock_unlock (&l);
  if (HOW == 0) pthread_join (t, NULL);
#endif
  return 0;
}
