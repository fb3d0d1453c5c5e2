// A semaphore or a barrier that is initialised while another thread uses it, twice, or not at all.
// finding[-DUSE=sem_wait(&s)]: rc11 race
// finding[-DUSE=sem_wait(&s)]: rc11 lock-misuse
// finding[-DUSE=sem_wait(&s)]: sc race
// finding[-DUSE=sem_wait(&s)]: sc lock-misuse
// finding[-DUSE=sem_wait(&s)]: tso lock-misuse
// finding[-DUSE=sem_trywait(&s)]: rc11 race
// finding[-DUSE=sem_trywait(&s)]: rc11 lock-misuse
// finding[-DUSE=sem_trywait(&s)]: sc race
// finding[-DUSE=sem_trywait(&s)]: sc lock-misuse
// finding[-DUSE=sem_getvalue(&s,&value)]: rc11 race
// finding[-DUSE=sem_getvalue(&s,&value)]: rc11 lock-misuse
// finding[-DUSE=sem_getvalue(&s,&value)]: sc race
// finding[-DUSE=sem_getvalue(&s,&value)]: sc lock-misuse
// finding[-DUSE=sem_post(&s)]: rc11 race
// finding[-DUSE=sem_post(&s)]: rc11 lock-misuse
// finding[-DEARLY -DNEVER -DUSE=sem_post(&s)]: rc11 lock-misuse
// finding[-DEARLY -DNEVER -DUSE=sem_post(&s)]: sc lock-misuse
// finding[-DEARLY -DSOMETIMES -DUSE=sem_post(&s)]: rc11 lock-misuse
// finding[-DEARLY -DSOMETIMES -DUSE=sem_post(&s)]: sc lock-misuse
// finding[-DEARLY -DTWICE -DUSE=sem_post(&s)]: rc11 lock-misuse
// finding[-DEARLY -DTWICE -DUSE=sem_post(&s)]: sc lock-misuse
// finding[-DEARLY -DTWICE -DUSE=pthread_barrier_wait(&b)]: rc11 lock-misuse
// finding[-DEARLY -DNEVER -DUSE=pthread_barrier_wait(&b)]: rc11 lock-misuse
// finding[-DUSE=pthread_barrier_wait(&b)]: rc11 race
// finding[-DUSE=pthread_barrier_wait(&b)]: rc11 lock-misuse
// verdict[-DEARLY -DUSE=sem_wait(&s)]: rc11 pass
// verdict[-DEARLY -DUSE=pthread_barrier_wait(&b)]: rc11 pass
#include <porf/verifier.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t s;
static pthread_barrier_t b;
static int value;

static void *use (void *arg) {
  (void)arg;
  USE;
  return NULL;
}

static void init (void) {
#ifdef SOMETIMES
  if (__VERIFIER_nondet_bool ()) return;
#endif
#ifndef NEVER
  sem_init (&s, 0, 1);
  pthread_barrier_init (&b, NULL, 1);
#endif
}

int main (void) {
  pthread_t t;
#ifdef EARLY
  init ();
#endif
  pthread_create (&t, NULL, use, NULL);
#ifndef EARLY
  init ();
#endif
  pthread_join (t, NULL);
#ifdef TWICE
  init ();
#endif
  return 0;
}
