// The value a thread returns, by return and by pthread_exit, reaches the join.
// expect: sc 1/0, rc11 1/0
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static void *by_return (void *arg) { return (void *)((uintptr_t)arg + 1); }

static void deep (void *value) { pthread_exit (value); }

static void *by_exit (void *arg) {
  deep ((void *)((uintptr_t)arg + 2));
  return NULL;
}

int main (void) {
  pthread_t a, b;
  void *r, *s;
  pthread_create (&a, NULL, by_return, (void *)10);
  pthread_create (&b, NULL, by_exit, (void *)10);
  pthread_join (a, &r);
  pthread_join (b, &s);
  assert ((uintptr_t)r == 11 && (uintptr_t)s == 12);
  return 0;
}
