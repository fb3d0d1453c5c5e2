// A byte write inside a plain word that another thread writes is a data race.
// finding: rc11 race
#include <pthread.h>

static union {
  unsigned word;
  unsigned char byte[4];
} u;

static void *whole (void *unused) {
  u.word = 0x01020304;
  return NULL;
}

int main (void) {
  pthread_t a;
  pthread_create (&a, NULL, whole, NULL);
  u.byte[2] = 9;
  pthread_join (a, NULL);
  return 0;
}
