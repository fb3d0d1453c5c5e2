// When main returns the program ends, and with it a thread that waits for something that never comes.
// verdict: sc pass
// verdict: rc11 pass
// verdict[--dependencies]: rc11 pass
// finding[-DSTAYS]: rc11 liveness
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int flag;

static void *waiter (void *unused) {
  while (!atomic_load (&flag)) {}
  return unused;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, waiter, NULL);
#ifdef STAYS
  pthread_exit (NULL);
#endif
  return 0;
}
