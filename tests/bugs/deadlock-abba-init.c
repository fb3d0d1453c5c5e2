// Two locks in opposite order; what the mutexes held before pthread_mutex_init does not make them free.
// finding: rc11 deadlock
// finding: sc deadlock
// finding: tso deadlock
// finding: ra deadlock
// finding: wrc11 deadlock
// verdict[-DORDERED]: rc11 pass
// verdict[-DORDERED]: wrc11 pass
#include <pthread.h>

static pthread_mutex_t a, b;

static void *first (void *unused) {
  pthread_mutex_lock (&a);
  pthread_mutex_lock (&b);
  pthread_mutex_unlock (&b);
  pthread_mutex_unlock (&a);
  return NULL;
}

static void *second (void *unused) {
#ifdef ORDERED
  return first (unused);
#endif
  pthread_mutex_lock (&b);
  pthread_mutex_lock (&a);
  pthread_mutex_unlock (&a);
  pthread_mutex_unlock (&b);
  return NULL;
}

int main (void) {
  pthread_t t, u;
  pthread_mutex_init (&a, NULL);
  pthread_mutex_init (&b, NULL);
  pthread_create (&t, NULL, first, NULL);
  pthread_create (&u, NULL, second, NULL);
  pthread_join (t, NULL);
  pthread_join (u, NULL);
  return 0;
}
