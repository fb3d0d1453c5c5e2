// A detached thread that main does not wait for.
// verdict: rc11 pass
#include <pthread.h>

static int x;

static void *thread (void *unused) {
  x = 1;
  return NULL;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, thread, NULL);
  pthread_detach (t);
  return 0;
}
