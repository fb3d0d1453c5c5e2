// expect[-DK=3]: rc11 20
// expect[--engine=futures -DK=3]: rc11 20, sc 20, ra 20, rc20 20, tso 20, pso 20, sra 20
// expect[--engine=futures -DK=20]: rc11 137846528820, sc 137846528820
// expect[--engine=futures -DK=40]: tso 107507208733336176461620, pso 107507208733336176461620
// expect[--engine=futures -DN=3 -DK=8]: rc11 9465511770
//
// A mutex that N threads take K times each: (N K)! / (K!)^N executions.
#include <pthread.h>

#ifndef K
#define K 3
#endif
#ifndef N
#define N 2
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *run (void *arg) {
  for (int i = 0; i < K; i++) {
    pthread_mutex_lock (&mutex);
    count++;
    pthread_mutex_unlock (&mutex);
  }
  return arg;
}

int main (void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) pthread_create (&t[i], 0, run, 0);
  for (int i = 0; i < N; i++) pthread_join (t[i], 0);
}
