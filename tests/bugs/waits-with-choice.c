// A thread that makes a choice in every iteration waits forever if none of them leads out of the loop.
// finding: rc11 liveness
// finding: sc liveness
// finding: tso liveness
// finding: wrc11 liveness
// finding[--reduce=none]: rc11 liveness
// verdict[-DLEAVES]: rc11 pass
// verdict[-DIN_ORDER]: rc11 pass
// finding[-DPOLL]: rc11 liveness
// verdict[-DPOLL -DIN_ORDER]: rc11 pass
// finding[-DWEAK --spurious]: rc11 liveness
// finding[-DWEAK]: rc11 liveness
// verdict[-DWEAK -DIN_ORDER --spurious]: rc11 pass
// finding: mca liveness
// finding: share liveness
// verdict[-DLEAVES]: mca pass
// verdict[-DIN_ORDER]: mca pass
// finding[-DPOLL]: mca liveness
// verdict[-DPOLL -DIN_ORDER]: mca pass
// finding[-DWEAK --spurious]: mca liveness
// verdict[-DWEAK -DIN_ORDER --spurious]: mca pass
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int done;

#if defined(POLL)
static pthread_rwlock_t a = PTHREAD_RWLOCK_INITIALIZER, b = PTHREAD_RWLOCK_INITIALIZER;
#define LOCK(l) while (pthread_rwlock_trywrlock (l)) sched_yield ()
#define UNLOCK(l) pthread_rwlock_unlock (l)
#elif defined(WEAK)
static atomic_int a, b;
static void lock (atomic_int *l) {
  int expected = 0;
  while (!atomic_compare_exchange_weak (l, &expected, 1)) expected = 0;
}
#define LOCK(l) lock (l)
#define UNLOCK(l) atomic_store (l, 0)
#else
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
#define LOCK(l) pthread_mutex_lock (l)
#define UNLOCK(l) pthread_mutex_unlock (l)
#endif

#ifdef IN_ORDER
#define FIRST &a
#define SECOND &b
#else
#define FIRST &b
#define SECOND &a
#endif

static void *one (void *arg) {
  LOCK (&a);
  LOCK (&b);
  UNLOCK (&b);
  UNLOCK (&a);
  done++;
  return arg;
}

static void *two (void *arg) {
  LOCK (FIRST);
  LOCK (SECOND);
  UNLOCK (SECOND);
  UNLOCK (FIRST);
  done++;
  return arg;
}

int main (void) {
#ifdef LEAVES
  while (!rand ()) sched_yield ();
#else
  pthread_t t[2];
  pthread_create (&t[0], NULL, one, NULL);
  pthread_create (&t[1], NULL, two, NULL);
#if !defined(POLL) && !defined(WEAK)
  while (done < 2)
    if (rand () % 3) sched_yield ();
#endif
  pthread_join (t[0], NULL);
  pthread_join (t[1], NULL);
#endif
  return 0;
}
