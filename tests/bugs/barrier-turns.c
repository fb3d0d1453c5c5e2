// The order in which threads arrive at a barrier makes no difference where nobody asks who came last.
// expect: rc11 1/0, sc 1/0, tso 1/0, ra 1/0
// expect[-DN=4 -DR=2]: rc11 1/0
// expect[--reduce=-barriers]: rc11 36, sc 36
// expect[-DSERIAL]: rc11 36
// finding[-DEARLY]: rc11 race
// finding[-DMISSING]: rc11 liveness
// finding[-DMISSING]: sc liveness
#include <assert.h>
#include <pthread.h>
#ifndef N
#define N 3
#endif
#ifndef R
#define R 1
#endif
static pthread_barrier_t b;
static int a[N];
static _Thread_local int serial;
static void *work (void *arg) {
  int i = (int)(long)arg;
  for (int r = 1; r <= R; r++) {
    a[i] = r;
#ifdef SERIAL
    serial += pthread_barrier_wait (&b) == PTHREAD_BARRIER_SERIAL_THREAD;
#else
    pthread_barrier_wait (&b);
#endif
#ifdef EARLY
    a[i] = r + 1;
#endif
    for (int k = 0; k < N; k++) {
#ifndef EARLY
      assert (a[k] == r);
#else
      (void)a[k];
#endif
    }
#ifdef MISSING
    if (i == 1) return NULL;
#endif
    pthread_barrier_wait (&b);
  }
  return NULL;
}
int main (void) {
  pthread_t t[N];
  pthread_barrier_init (&b, NULL, N);
  for (long i = 0; i < N; i++) pthread_create (&t[i], NULL, work, (void *)i);
  for (int i = 0; i < N; i++) pthread_join (t[i], NULL);
}
