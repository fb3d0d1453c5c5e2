// Which of two waiting threads a signal wakes is not known: each is tried.
// finding[-DFIRST]: rc11 assert A
// finding[-DFIRST]: sc assert A
// finding[-DFIRST]: tso assert A
// finding[-DSECOND]: rc11 assert B
// finding[-DSECOND]: sc assert B
// finding[-DSECOND]: tso assert B
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int waiting, woken, tokens;

static void *waiter (void *arg) {
  pthread_mutex_lock (&m);
  waiting++;
  while (!tokens) pthread_cond_wait (&c, &m);
  tokens--;
  if (!woken) woken = arg ? 2 : 1;
  pthread_cond_signal (&c);
  pthread_mutex_unlock (&m);
  return NULL;
}

int main (void) {
  pthread_t t, u;
  pthread_create (&t, NULL, waiter, NULL);
  pthread_create (&u, NULL, waiter, &m);
  pthread_mutex_lock (&m);
  int both = waiting == 2;
  tokens = 2;
  pthread_cond_signal (&c);
  pthread_mutex_unlock (&m);
  pthread_join (t, NULL);
  pthread_join (u, NULL);
#ifdef FIRST
  assert (!both || woken != 1); // @A
#else
  assert (!both || woken != 2); // @B
#endif
  return 0;
}
