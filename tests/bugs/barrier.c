// A barrier orders what comes before it before what comes after it.
// verdict: rc11 pass
// verdict: sc pass
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t b;
static int part[2];

static void *work (void *arg) {
  int me = arg != NULL;
  part[me] = 1;
  pthread_barrier_wait (&b);
  assert (part[!me] == 1);
  return NULL;
}

int main (void) {
  pthread_t t, u;
  pthread_barrier_init (&b, NULL, 2);
  pthread_create (&t, NULL, work, NULL);
  pthread_create (&u, NULL, work, &b);
  pthread_join (t, NULL);
  pthread_join (u, NULL);
  return 0;
}
