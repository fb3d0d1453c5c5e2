// pthread_once runs its function once, before anyone goes on.
// verdict: rc11 pass
// verdict: sc pass
#include <assert.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int calls;

static void initialise (void) { calls++; }

static void *user (void *unused) {
  pthread_once (&once, initialise);
  assert (calls == 1);
  return NULL;
}

int main (void) {
  pthread_t t, u;
  pthread_create (&t, NULL, user, NULL);
  pthread_create (&u, NULL, user, NULL);
  pthread_join (t, NULL);
  pthread_join (u, NULL);
  return 0;
}
