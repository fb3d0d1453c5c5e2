// expect: jam21 47, jam19 47
// expect[--reduce=none]: jam21 47, jam19 47
// unsupported: jam21 plain accesses race
// unsupported: jam19 plain accesses race
// unsupported[--reduce=none]: jam21 plain accesses race
// unsupported[--reduce=none]: jam19 plain accesses race
//
// The last thread does not go back from what the first one writes to y to what that one has read there, both opaque:
// also in executions without the plain write of y, after others that have it.

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define R(v) atomic_load_explicit ((_Atomic int *)&v, memory_order_relaxed)
#define W(v) atomic_store_explicit ((_Atomic int *)&v, 1, memory_order_relaxed)

static int x, y;

static void *first (void *arg) {
  (void)R (y);
  W (y);
  return arg;
}

static void *second (void *arg) {
  W (y);
  x = 6;
  return arg;
}

static void *third (void *arg) {
  (void)R (y);
  if (x == 6) y = 1;
  (void)R (y);
  return arg;
}

int main (void) {
  pthread_t t[3];
  pthread_create (&t[0], NULL, first, NULL);
  pthread_create (&t[1], NULL, second, NULL);
  pthread_create (&t[2], NULL, third, NULL);
  for (int i = 0; i < 3; i++) pthread_join (t[i], NULL);
}
