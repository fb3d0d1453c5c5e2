// The rounds of a spin loop that do not end it are accesses, too: one of them races with the plain store.
// finding: rc11 race R|W
// finding: sc race R|W
#include <pthread.h>
#include <stddef.h>

static int flag;

static void *waiter (void *unused) {
  while (__atomic_load_n (&flag, __ATOMIC_ACQUIRE) == 0) {} // @R
  return unused;
}

static void *setter (void *unused) {
  flag = 0; // @W
  __atomic_store_n (&flag, 1, __ATOMIC_RELEASE);
  return unused;
}

int main (void) {
  pthread_t a, b;
  pthread_create (&a, NULL, waiter, NULL);
  pthread_create (&b, NULL, setter, NULL);
  pthread_join (a, NULL);
  pthread_join (b, NULL);
}
