// Two places that read and then store, neither of them atomic: both have to change.
// finding: rc11 assert A
// finding: sc assert A
// fix: rc11 deposit
// fix: rc11 withdraw
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int balance = 10;

static void *deposit (void *arg) {
  int old = atomic_load (&balance);
  atomic_store (&balance, old + 5); // @deposit
  return arg;
}

static void *withdraw (void *arg) {
  int old = atomic_load (&balance);
  atomic_store (&balance, old - 3); // @withdraw
  return arg;
}

int main (void) {
  pthread_t a, b;
  pthread_create (&a, NULL, deposit, NULL);
  pthread_create (&b, NULL, withdraw, NULL);
  pthread_join (a, NULL);
  pthread_join (b, NULL);
  assert (atomic_load (&balance) == 12); // @A
  return 0;
}
