// Two threads take two locks in opposite order.
// finding: rc11 deadlock
// finding: sc deadlock
// fix: rc11 locks
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void *ab (void *unused) {
  pthread_mutex_lock (&a); // @locks
  pthread_mutex_lock (&b);
  pthread_mutex_unlock (&b);
  pthread_mutex_unlock (&a);
  return NULL;
}

static void *ba (void *unused) {
  pthread_mutex_lock (&b);
  pthread_mutex_lock (&a);
  pthread_mutex_unlock (&a);
  pthread_mutex_unlock (&b);
  return NULL;
}

int main (void) {
  pthread_t t, u;
  pthread_create (&t, NULL, ab, NULL);
  pthread_create (&u, NULL, ba, NULL);
  pthread_join (t, NULL);
  pthread_join (u, NULL);
  return 0;
}
