// A race on a local variable of main, whose address the thread got.
// finding: rc11 race R|W
#include <pthread.h>

static void *writer (void *arg) {
  *(int *)arg = 1; // @W
  return NULL;
}

int main (void) {
  pthread_t a;
  int local = 0;
  pthread_create (&a, NULL, writer, &local);
  int seen = local; // @R
  pthread_join (a, NULL);
  return seen & 0;
}
