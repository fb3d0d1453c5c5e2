// Two threads that join each other.
// finding: rc11 deadlock
// finding: sc deadlock
#include <pthread.h>

static pthread_t t, u;
static pthread_barrier_t b;

static void *first (void *unused) {
  pthread_barrier_wait (&b);
  pthread_join (u, NULL);
  return NULL;
}
static void *second (void *unused) {
  pthread_barrier_wait (&b);
  pthread_join (t, NULL);
  return NULL;
}

int main (void) {
  pthread_barrier_init (&b, NULL, 3);
  pthread_create (&t, NULL, first, NULL);
  pthread_create (&u, NULL, second, NULL);
  pthread_barrier_wait (&b);
  pthread_exit (NULL);
}
