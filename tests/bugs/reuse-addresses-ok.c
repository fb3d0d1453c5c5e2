// Blocks that are used again, properly: by the thread itself, and handed over.
// expect: rc11 1/0
// expect[--reuse-addresses]: rc11 10/0
// verdict[--reuse-addresses --leaks]: rc11 pass
// finding[--reuse-addresses --leaks -DLOSE]: rc11 leak
// finding[--reuse-addresses -DTWICE]: rc11 double-free twice
// finding[--reuse-addresses -DLATE]: rc11 use-after-free late
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int *_Atomic known;
static int *volatile kept;

static void *use (void *unused) {
  int *p = atomic_load (&known);
  *p = 2;
  atomic_store (&known, NULL);
  return unused;
}

int main (void) {
  pthread_t t;
  for (int i = 0; i < 2; i++) {
    int *p = malloc (8);
    *p = 1;
    atomic_store (&known, p);
    pthread_create (&t, NULL, use, NULL);
    pthread_join (t, NULL);
    kept = p;
    free (p);
  }
  int *a = malloc (8), *b = malloc (8);
  a[1] = b[1] = 1;
#ifdef LATE
  if (a != kept && b != kept) *kept = 1; // @late
#endif
  free (a);
#ifdef TWICE
  free (a); // @twice
#endif
#ifndef LOSE
  free (b);
#endif
  return 0;
}
