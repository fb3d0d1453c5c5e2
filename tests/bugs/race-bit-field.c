// Neighbouring bit-fields share a memory location, so writing them from two threads is a race.
// finding: rc11 race A|B
#include <pthread.h>

static struct {
  unsigned low : 4, high : 4;
} f;

static void *other (void *unused) {
  f.low = 1; // @A
  return NULL;
}

int main (void) {
  pthread_t a;
  pthread_create (&a, NULL, other, NULL);
  f.high = 2; // @B
  pthread_join (a, NULL);
  return 0;
}
