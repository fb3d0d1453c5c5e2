// finding: tso assert weak
// finding: pso assert weak
// verdict[--no-race]: sc pass
// finding[--engine=futures]: tso assert weak
// finding[--engine=futures]: pso assert weak
// finding[--engine=futures --no-race]: rc11 assert weak
//
// All atomic accesses are seq_cst, and executions are interleavings as long as there is no race on
// `x`, whether or not races are reported.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int __VERIFIER_nondet_int (void);
static int x, seen_y, seen_x = 1;
static atomic_int y, ready;

static void *writer (void *arg) {
  if (__VERIFIER_nondet_int () == 0) {
    x = 1;
    ready = 1;
  } else {
    ready = 1;
    x = 1;
  }
  seen_y = y;
  return arg;
}

static void *reader (void *arg) {
  if (!ready) return arg;
  y = 1;
  seen_x = x;
  return arg;
}

int main (void) {
  pthread_t t[2];
  pthread_create (&t[0], 0, writer, 0);
  pthread_create (&t[1], 0, reader, 0);
  pthread_join (t[0], 0);
  pthread_join (t[1], 0);
  assert (seen_y || seen_x); // @weak
}
