// A byte write inside a plain word that another thread writes: porf says that it does not cover this.
// unsupported: rc11 accesses of different sizes to the same memory
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
