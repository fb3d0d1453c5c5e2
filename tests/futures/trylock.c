// expect: rc11 3, rc20 3, tso 2, sc 2
// expect[--engine=futures]: rc11 3, rc20 3, tso 2, sc 2
// finding[-DBUG]: rc11 assert A
// finding[--engine=futures -DBUG]: rc11 assert A
// verdict[--engine=futures -DBUG]: sc pass
//
// A mutex that cannot be taken at once synchronises with nothing: the other thread need not see what came before it,
// although all atomic accesses are seq_cst. So executions are more than interleavings.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *holder (void *arg) {
  atomic_store (&x, 1);
  pthread_mutex_lock (&m);
  return arg;
}

static void *other (void *arg) {
  if (!pthread_mutex_trylock (&m)) {
    pthread_mutex_unlock (&m);
    return arg;
  }
  int seen = atomic_load (&x);
#ifdef BUG
  assert (seen == 1); // @A
#endif
  (void)seen;
  return arg;
}

int main (void) {
  pthread_t t[2];
  pthread_create (&t[0], 0, holder, 0);
  pthread_create (&t[1], 0, other, 0);
  pthread_join (t[0], 0);
  pthread_join (t[1], 0);
}
