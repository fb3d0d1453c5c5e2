// Two threads that each wait for the other's flag before they set their own.
// finding: rc11 liveness
#include <pthread.h>
#include <stdatomic.h>

static atomic_int a, b;

static void *one (void *unused) {
  while (!atomic_load (&b)) {
  }
  atomic_store (&a, 1);
  return NULL;
}

static void *two (void *unused) {
  while (!atomic_load (&a)) {
  }
  atomic_store (&b, 1);
  return NULL;
}

int main (void) {
  pthread_t t, u;
  pthread_create (&t, NULL, one, NULL);
  pthread_create (&u, NULL, two, NULL);
  pthread_join (t, NULL);
  pthread_join (u, NULL);
  return 0;
}
