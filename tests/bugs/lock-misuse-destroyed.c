// A lock is given back after it was destroyed, by the thread that held it once.
// finding[-DMUTEX]: sc lock-misuse U
// finding[-DMUTEX]: rc11 lock-misuse U
// finding[-DMUTEX]: wrc11 lock-misuse U
// finding[-DMUTEX]: power lock-misuse U
// finding[-DMUTEX]: jam21 lock-misuse U
// finding[-DMUTEX]: mca lock-misuse U
// finding[-DRECURSIVE]: sc lock-misuse U
// finding[-DRECURSIVE]: rc11 lock-misuse U
// finding[-DRECURSIVE]: wrc11 lock-misuse U
// finding[-DRECURSIVE]: power lock-misuse U
// finding[-DRECURSIVE]: jam21 lock-misuse U
// finding[-DRECURSIVE]: mca lock-misuse U
// finding[-DERRORCHECK]: sc lock-misuse U
// finding[-DERRORCHECK]: rc11 lock-misuse U
// finding[-DERRORCHECK]: wrc11 lock-misuse U
// finding[-DERRORCHECK]: power lock-misuse U
// finding[-DERRORCHECK]: jam21 lock-misuse U
// finding[-DERRORCHECK]: mca lock-misuse U
// finding[-DSPIN]: sc lock-misuse U
// finding[-DSPIN]: rc11 lock-misuse U
// finding[-DSPIN]: wrc11 lock-misuse U
// finding[-DSPIN]: power lock-misuse U
// finding[-DSPIN]: jam21 lock-misuse U
// finding[-DSPIN]: mca lock-misuse U
// finding[-DMTX]: sc lock-misuse U
// finding[-DMTX]: rc11 lock-misuse U
// finding[-DMTX]: wrc11 lock-misuse U
// finding[-DMTX]: power lock-misuse U
// finding[-DMTX]: jam21 lock-misuse U
// finding[-DMTX]: mca lock-misuse U
// verdict: rc11 pass
// verdict: mca pass
#include <pthread.h>
#include <threads.h>

#if defined SPIN
static pthread_spinlock_t m;
#define init() pthread_spin_init (&m, PTHREAD_PROCESS_PRIVATE)
#define lock() pthread_spin_lock (&m)
#define unlock() pthread_spin_unlock (&m)
#define destroy() pthread_spin_destroy (&m)
#elif defined MTX
static mtx_t m;
#define init() mtx_init (&m, mtx_plain)
#define lock() mtx_lock (&m)
#define unlock() mtx_unlock (&m)
#define destroy() mtx_destroy (&m)
#else
static pthread_mutex_t m;
#define lock() pthread_mutex_lock (&m)
#define unlock() pthread_mutex_unlock (&m)
#define destroy() pthread_mutex_destroy (&m)
static void init (void) {
  pthread_mutexattr_t a;
  pthread_mutexattr_init (&a);
#if defined RECURSIVE
  pthread_mutexattr_settype (&a, PTHREAD_MUTEX_RECURSIVE);
#elif defined ERRORCHECK
  pthread_mutexattr_settype (&a, PTHREAD_MUTEX_ERRORCHECK);
#endif
  pthread_mutex_init (&m, &a);
  pthread_mutexattr_destroy (&a);
}
#endif

int main (void) {
  init ();
  lock ();
  unlock ();
  destroy ();
#if defined MUTEX || defined RECURSIVE || defined ERRORCHECK || defined SPIN || defined MTX
  unlock (); // @U
#endif
  return 0;
}
