// Every round of a loop gives one mutex back and takes another one: that is not the same as before.
// finding: rc11 lock-misuse unlock
// finding: sc lock-misuse unlock
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static atomic_int x;

static void *wait (void *unused) {
  pthread_mutex_lock (&m);
  while (!x) {
    pthread_mutex_unlock (&m); // @unlock
    pthread_mutex_lock (&other);
  }
  return NULL;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, wait, NULL);
  x = 1;
  pthread_join (t, NULL);
}
