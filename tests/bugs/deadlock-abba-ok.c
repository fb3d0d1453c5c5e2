// The twin of deadlock-abba: both threads take the locks in the same order.
// verdict: rc11 pass
// verdict: sc pass
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void *ab (void *unused) {
  pthread_mutex_lock (&a);
  pthread_mutex_lock (&b);
  pthread_mutex_unlock (&b);
  pthread_mutex_unlock (&a);
  return NULL;
}

int main (void) {
  pthread_t t, u;
  pthread_create (&t, NULL, ab, NULL);
  pthread_create (&u, NULL, ab, NULL);
  pthread_join (t, NULL);
  pthread_join (u, NULL);
  return 0;
}
