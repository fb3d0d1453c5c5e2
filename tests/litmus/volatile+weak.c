// expect[-DPLAIN]: jam21 4
// expect[-DNESTED]: jam21 4
// expect[-DALONE]: jam21 3
// expect[-DPLAIN --reduce=none]: jam21 4
// expect[-DNESTED --reduce=none]: jam21 4
// expect[-DALONE --reduce=none]: jam21 3
//
// Store buffering in programs of volatile accesses that nevertheless have executions that are no interleavings: because
// plain accesses race (PLAIN), or because each access is alone in its thread, so that nothing is pushed (NESTED). With
// volatile accesses alone in threads that main creates (ALONE), every execution is one (docs/ALGORITHM.md, 9e).

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y, a, b;
static int p, q;

static void *read_x (void *arg) {
  (void)atomic_load (&x);
  return arg;
}

static void *read_y (void *arg) {
  (void)atomic_load (&y);
  return arg;
}

static void *left (void *arg) {
#ifdef PLAIN
  p = 1;
  atomic_store (&a, 1);
  return (void *)(long)(q * 0);
#else
  atomic_store (&x, 1);
#ifdef NESTED
  pthread_t t;
  pthread_create (&t, NULL, read_y, arg);
  return arg;
#else
  return read_y (arg);
#endif
#endif
}

static void *right (void *arg) {
#ifdef PLAIN
  q = 1;
  atomic_store (&b, 1);
  return (void *)(long)(p * 0);
#else
  atomic_store (&y, 1);
#ifdef NESTED
  pthread_t t;
  pthread_create (&t, NULL, read_x, arg);
  return arg;
#else
  return read_x (arg);
#endif
#endif
}

int main (void) {
  pthread_t t[2];
  pthread_create (&t[0], NULL, left, NULL);
  pthread_create (&t[1], NULL, right, NULL);
  pthread_join (t[0], NULL);
  pthread_join (t[1], NULL);
}
