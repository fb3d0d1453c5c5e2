// Locking and unlocking again and again is fine.
// expect: rc11 1/0
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

int main (void) {
  for (int i = 0; i < 3; i++) {
    pthread_mutex_lock (&m);
    pthread_mutex_unlock (&m);
  }
  return 0;
}
