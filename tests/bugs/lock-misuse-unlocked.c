// Unlocking a mutex that nobody holds.
// finding: rc11 lock-misuse A
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

int main (void) {
  pthread_mutex_lock (&m);
  pthread_mutex_unlock (&m);
  pthread_mutex_unlock (&m); // @A
  return 0;
}
