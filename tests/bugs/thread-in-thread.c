// A thread starts and joins another thread.
// expect: sc 1/0, rc11 1/0
#include <assert.h>
#include <pthread.h>

static int value;

static void *child (void *unused) {
  value = 7;
  return NULL;
}

static void *parent (void *unused) {
  pthread_t t;
  pthread_create (&t, NULL, child, NULL);
  pthread_join (t, NULL);
  value++;
  return NULL;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, parent, NULL);
  pthread_join (t, NULL);
  assert (value == 8);
  return 0;
}
