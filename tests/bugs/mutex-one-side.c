// Only one of two threads takes the lock.
// finding: rc11 race A|B
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int shared;

static void *locked (void *unused) {
  pthread_mutex_lock (&m);
  shared++; // @A
  pthread_mutex_unlock (&m);
  return NULL;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, locked, NULL);
  shared++; // @B
  pthread_join (t, NULL);
  return 0;
}
