// volatile does not make an access atomic.
// finding: rc11 race A|B
#include <pthread.h>

static volatile int v;

static void *other (void *unused) {
  v = 1; // @A
  return NULL;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, other, NULL);
  v = 2; // @B
  pthread_join (t, NULL);
  return 0;
}
