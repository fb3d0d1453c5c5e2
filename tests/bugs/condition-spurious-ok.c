// A wait in a loop that looks at its condition again does not mind being woken for no reason.
// verdict: rc11 pass
// verdict[--spurious]: rc11 pass
// assumed: rc11 spurious-wakeups
// assumed[--spurious]: rc11 nothing
// verdict[--spurious]: sc pass
// verdict[--spurious]: tso pass
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
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
  pthread_create (&t, NULL, producer, NULL);
  pthread_mutex_lock (&m);
  while (!item) pthread_cond_wait (&c, &m);
  assert (item == 1);
  pthread_mutex_unlock (&m);
  pthread_join (t, NULL);
  return 0;
}
