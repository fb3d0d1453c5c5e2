// A semaphore as a mutex: as many executions as orders.
// expect: rc11 2, sc 2, tso 2, ra 2
// expect[-DN=3]: rc11 6, sc 6, tso 6, ra 6
// finding[-DINITIAL=2]: rc11 assert A
// finding[-DINITIAL=2]: sc assert A
// finding[-DINITIAL=2]: tso assert A
// finding[-DINITIAL=2]: ra assert A
// finding[-DINITIAL=2]: rc11 race
// finding[-DINITIAL=2]: sc race
// finding[-DINITIAL=2]: ra race
// finding[-DINITIAL=0]: rc11 liveness W
// finding[-DINITIAL=0]: sc liveness W
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

#ifndef N
#define N 2
#endif
#ifndef INITIAL
#define INITIAL 1
#endif
static sem_t s;
static int counter;

static void *thread (void *unused) {
  sem_wait (&s); // @W
  counter++;
  sem_post (&s);
  return NULL;
}

int main (void) {
  pthread_t t[N];
  sem_init (&s, 0, INITIAL);
  for (int i = 0; i < N; i++) pthread_create (&t[i], NULL, thread, NULL);
  for (int i = 0; i < N; i++) pthread_join (t[i], NULL);
  assert (counter == N); // @A
  sem_destroy (&s);
  return 0;
}
