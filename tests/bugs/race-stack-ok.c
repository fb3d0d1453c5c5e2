// The twin of race-stack: main reads after the join.
// expect: rc11 1/0, sc 1/0
#include <assert.h>
#include <pthread.h>

static void *writer (void *arg) {
  *(int *)arg = 1;
  return NULL;
}

int main (void) {
  pthread_t a;
  int local = 0;
  pthread_create (&a, NULL, writer, &local);
  pthread_join (a, NULL);
  assert (local == 1);
  return 0;
}
