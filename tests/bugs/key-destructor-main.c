// Destructors run when main calls pthread_exit; then the others go on.
// finding: rc11 assert A
// finding: sc assert A
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;
static int x;

static void destroy (void *value) {
  assert (value != &x); // @A
}

int main (void) {
  pthread_key_create (&key, destroy);
  pthread_setspecific (key, &x);
  pthread_exit (NULL);
}
