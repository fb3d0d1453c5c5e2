// main waits for one thread and returns, which ends the program and the other thread, whatever that waits for.
// verdict: sc pass
// verdict: rc11 pass
// verdict[--reduce=none]: rc11 pass
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int flag, x;

static void *waiter (void *unused) {
  while (!atomic_load (&flag)) {}
  return unused;
}

static void *writer (void *unused) {
  atomic_store (&x, 1);
  return unused;
}

int main (void) {
  pthread_t a, b;
  pthread_create (&a, NULL, waiter, NULL);
  pthread_create (&b, NULL, writer, NULL);
  pthread_join (b, NULL);
  return 0;
}
