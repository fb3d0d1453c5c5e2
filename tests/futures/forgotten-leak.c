// finding[--leaks]: rc11 leak A
// finding[--leaks --engine=futures]: rc11 leak A
// finding[--leaks --engine=futures]: sc leak A
//
// That a thread has lost a block is told by nothing but what it left in its own memory.
#include <pthread.h>
#include <stdlib.h>

int __VERIFIER_nondet_int (void);

static void *lose (void *arg) {
  int *own = malloc (sizeof *own); // @A
  *own = 1;
  if (__VERIFIER_nondet_int () != 5) free (own);
  return arg;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, 0, lose, 0);
  pthread_join (t, 0);
}
