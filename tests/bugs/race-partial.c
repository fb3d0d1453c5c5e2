// A byte write inside a plain word that another thread writes: the accesses overlap.
// finding: rc11 race A|B
#include <pthread.h>
#include <string.h>

static union {
  unsigned word;
  unsigned char byte[4];
} u;

static void *whole (void *unused) {
  u.word = 0x01020304; // @A
  return NULL;
}

int main (void) {
  pthread_t a;
  pthread_create (&a, NULL, whole, NULL);
  u.byte[2] = 9; // @B
  pthread_join (a, NULL);
  return 0;
}
