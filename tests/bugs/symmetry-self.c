// Threads run the same code, but ask who they are.
// finding: rc11 assert mine
// finding: sc assert mine
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_ulong leader;

static void *elect (void *unused) {
  unsigned long none = 0;
  atomic_compare_exchange_strong (&leader, &none, (unsigned long)pthread_self ());
  return NULL;
}

int main (void) {
  pthread_t a, b;
  pthread_create (&a, NULL, elect, NULL);
  pthread_create (&b, NULL, elect, NULL);
  pthread_join (a, NULL);
  pthread_join (b, NULL);
  assert (leader == a); // @mine
}
