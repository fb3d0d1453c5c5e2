// The twin of mutex-trylock shows that trylock can fail.
// finding: rc11 assert A
// finding: sc assert A
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
  assert (shared == 2); // @A
  return 0;
}
