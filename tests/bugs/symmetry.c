// Three equal threads: of the executions that differ by an exchange of them one is explored.
// expect: rc11 90, sc 90, tso 90, ra 90, wrc11 90
// expect[--reduce=-symmetry]: rc11 90, sc 90, ra 90
// expect[--reduce=none]: rc11 90
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int shared;

static void *increment_twice (void *unused) {
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock (&m);
    shared++;
    pthread_mutex_unlock (&m);
  }
  return NULL;
}

int main (void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++) pthread_create (&t[i], NULL, increment_twice, NULL);
  for (int i = 0; i < 3; i++) pthread_join (t[i], NULL);
  assert (shared == 6);
}
