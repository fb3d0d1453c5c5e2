// A wait that does not look at its condition again is right only as long as nothing wakes it for no reason.
// verdict: rc11 pass
// verdict: sc pass
// finding[--spurious]: rc11 assert HERE
// finding[--spurious]: sc assert HERE
// finding[--spurious]: tso assert HERE
// finding[--spurious -DC11]: rc11 assert HERE
// assumed: rc11 spurious-wakeups
// assumed[-DC11]: rc11 spurious-wakeups
#include <assert.h>
#include <pthread.h>
#include <threads.h>

#ifdef C11 // the same by the names of C11
#define pthread_cond_wait cnd_wait
#define pthread_cond_signal cnd_signal
#define pthread_mutex_lock mtx_lock
#define pthread_mutex_unlock mtx_unlock
static mtx_t m;
static cnd_t c;
#else
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
#endif
static int item;

static void *producer (void *unused) {
  pthread_mutex_lock (&m);
  item = 1;
  pthread_cond_signal (&c);
  pthread_mutex_unlock (&m);
  return NULL;
}

int main (void) {
  pthread_t t;
#ifdef C11
  mtx_init (&m, mtx_plain);
  cnd_init (&c);
#endif
  pthread_create (&t, NULL, producer, NULL);
  pthread_mutex_lock (&m);
  if (!item) pthread_cond_wait (&c, &m);
  assert (item == 1); // @HERE
  pthread_mutex_unlock (&m);
  pthread_join (t, NULL);
  return 0;
}
