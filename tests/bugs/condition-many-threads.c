// Condition variables know up to 64 threads.
// unsupported: rc11 condition variable in a program with more than 64 threads
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *nothing (void *unused) { return NULL; }
static void *waiter (void *unused) {
  pthread_mutex_lock (&m);
  pthread_cond_wait (&c, &m);
  pthread_mutex_unlock (&m);
  return NULL;
}

int main (void) {
  pthread_t t;
  for (int i = 0; i < 63; i++) {
    pthread_create (&t, NULL, nothing, NULL);
    pthread_join (t, NULL);
  }
  pthread_create (&t, NULL, waiter, NULL);
  pthread_join (t, NULL);
  return 0;
}
