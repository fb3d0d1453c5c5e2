// Every thread has its own copy of a thread-local variable, with its initial value.
// expect: rc11 1/0, sc 1/0
#include <assert.h>
#include <pthread.h>

static _Thread_local int mine = 5;
static __thread int zero;

static void *thread (void *arg) {
  assert (mine == 5 && zero == 0);
  mine += *(int *)arg;
  zero = mine;
  assert (zero == 5 + *(int *)arg);
  return NULL;
}

int main (void) {
  pthread_t a, b;
  int one = 1, two = 2;
  mine = 100;
  pthread_create (&a, NULL, thread, &one);
  pthread_create (&b, NULL, thread, &two);
  pthread_join (a, NULL);
  pthread_join (b, NULL);
  assert (mine == 100 && zero == 0);
  return 0;
}
