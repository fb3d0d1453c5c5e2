// Main would read uninitialised memory if its join came back. porf looks ahead so far; what others
// read next is not uninitialised for that.
// finding: rc11 liveness wait
// finding: sc liveness wait
// finding[-DWRITE]: rc11 uninitialised read
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int x, *block;

static void *wait (void *unused) {
  while (!atomic_load_explicit (&x, memory_order_acquire)) continue; // @wait
  return NULL;
}

int main (void) {
  pthread_t t;
  block = malloc (sizeof *block);
  pthread_create (&t, NULL, wait, NULL);
#ifdef WRITE
  x = 1;
#endif
  pthread_join (t, NULL);
  return atomic_load_explicit (block, memory_order_relaxed) == 5; // @read
}
