// A ticket lock: each of three threads waits for its number.
// expect: sc 6, rc11 6
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int next_ticket, serving;
static int counter;

static void *increment (void *unused) {
  int mine = atomic_fetch_add_explicit (&next_ticket, 1, memory_order_relaxed);
  while (atomic_load_explicit (&serving, memory_order_acquire) != mine) {
  }
  counter++;
  atomic_store_explicit (&serving, mine + 1, memory_order_release);
  return NULL;
}

int main (void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++) pthread_create (&t[i], NULL, increment, NULL);
  for (int i = 0; i < 3; i++) pthread_join (t[i], NULL);
  assert (counter == 3);
  return 0;
}
