// A thread polls an object that another one frees before it says that all is done.
// finding: rc11 use-after-free R|F
// finding: sc use-after-free R|F
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int *object, done;

static void *waiter (void *unused) {
  while (!atomic_load (&done) &&
         !atomic_load (object)) {} // @R
  return unused;
}

static void *ender (void *unused) {
  free (object); // @F
  atomic_store (&done, 1);
  return unused;
}

int main (void) {
  pthread_t a, b;
  object = calloc (1, sizeof *object);
  pthread_create (&a, NULL, waiter, NULL);
  pthread_create (&b, NULL, ender, NULL);
  pthread_join (a, NULL);
  pthread_join (b, NULL);
}
