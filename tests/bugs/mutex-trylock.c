// trylock may fail; who gets the lock may write.
// verdict: rc11 pass
// verdict: sc pass
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int shared;

static void *attempt (void *unused) {
  if (pthread_mutex_trylock (&m) != 0) return NULL;
  shared++;
  pthread_mutex_unlock (&m);
  return NULL;
}

int main (void) {
  pthread_t t, u;
  pthread_create (&t, NULL, attempt, NULL);
  pthread_create (&u, NULL, attempt, NULL);
  pthread_join (t, NULL);
  pthread_join (u, NULL);
  assert (shared == 1 || shared == 2);
  return 0;
}
