// The second thread overwrites the only pointer to the first block. Looked for with --leaks.
// flags: --leaks
// finding: rc11 leak
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

void *_Atomic kept;

void *keeper (void *arg) {
  kept = malloc (8); // an exchange would give the old one back
  return arg;
}

int main (void) {
  pthread_t t1, t2;
  pthread_create (&t1, NULL, keeper, NULL);
  pthread_create (&t2, NULL, keeper, NULL);
  pthread_join (t1, NULL);
  pthread_join (t2, NULL);
  return 0;
}
