// Three critical sections: every order is an execution.
// expect: rc11 6, sc 6
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m;
static int shared;

static void *increment (void *unused) {
  pthread_mutex_lock (&m);
  shared++;
  pthread_mutex_unlock (&m);
  return NULL;
}

int main (void) {
  pthread_t t[3];
  pthread_mutex_init (&m, NULL);
  for (int i = 0; i < 3; i++) pthread_create (&t[i], NULL, increment, NULL);
  for (int i = 0; i < 3; i++) pthread_join (t[i], NULL);
  assert (shared == 3);
  pthread_mutex_destroy (&m);
  return 0;
}
