// A default mutex that its holder locks again: nobody will ever unlock it.
// finding: rc11 lock-misuse A
// finding: sc lock-misuse A
// finding: tso lock-misuse A
// finding: ra lock-misuse A
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

int main (void) {
  pthread_mutex_lock (&m);
  pthread_mutex_lock (&m); // @A
  return 0;
}
