// A plain mutex locked twice by one thread.
// finding: rc11 deadlock A
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

int main (void) {
  pthread_mutex_lock (&m);
  pthread_mutex_lock (&m); // @A
  return 0;
}
