// SB+assert: sc store buffering, asked by an assertion in main.
// expect: sc 3/0, tso 3/0, pso 3/0, rc11 3/0, rc20 3/0, wrc11 3/0
// expect: jam19 3, jam21 3, jam21t 3
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int seen_x, seen_y;

static void *thread0 (void *unused) {
  x = 1;
  seen_y = y;
  return NULL;
}

static void *thread1 (void *unused) {
  y = 1;
  seen_x = x;
  return NULL;
}

int main (void) {
  pthread_t t[2];

  pthread_create (&t[0], NULL, thread0, NULL);
  pthread_create (&t[1], NULL, thread1, NULL);
  pthread_join (t[0], NULL);
  pthread_join (t[1], NULL);
  assert (!(seen_x == 0 && seen_y == 0));
  return 0;
}
