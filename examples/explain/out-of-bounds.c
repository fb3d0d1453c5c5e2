// Two threads take a place each, and there is only one.
// finding: rc11 out-of-bounds write
#include <pthread.h>
#include <stdatomic.h>

atomic_int next;
int table[1];

void *taker (void *arg) {
  int i = atomic_fetch_add (&next, 1);
  table[i] = 1; // @write
  return arg;
}

int main (void) {
  pthread_t t1, t2;
  pthread_create (&t1, NULL, taker, NULL);
  pthread_create (&t2, NULL, taker, NULL);
  pthread_join (t1, NULL);
  pthread_join (t2, NULL);
  return 0;
}
