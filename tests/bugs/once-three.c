// Once: whoever comes first calls it, the others wait until it is done. One that calls itself waits forever.
// expect: rc11 3, sc 3, tso 3, ra 3
// finding[-DSELF]: rc11 liveness A
// finding[-DSELF]: sc liveness A
#include <assert.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int calls;

static void initialise (void) {
  calls++;
#ifdef SELF
  pthread_once (&once, initialise); // @A
#endif
}

static void *thread (void *unused) {
  pthread_once (&once, initialise);
  assert (calls == 1);
  return NULL;
}

int main (void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++) pthread_create (&t[i], NULL, thread, NULL);
  for (int i = 0; i < 3; i++) pthread_join (t[i], NULL);
  return 0;
}
