// Concurrency Kit's queue with several producers and consumers needs cmpxchg16b, which is refused by name.
// unsupported: rc11 atomic accesses of different sizes
// unsupported: tso atomic accesses of different sizes
#include <assert.h>
#include <ck_fifo.h>
#include <pthread.h>

static ck_fifo_mpmc_t fifo;
static ck_fifo_mpmc_entry_t entries[2];
static int item;

static void *produce (void *arg) {
  (void)arg;
  ck_fifo_mpmc_enqueue (&fifo, &entries[1], &item);
  return NULL;
}

int main (void) {
  pthread_t t;
  int *got;
  ck_fifo_mpmc_entry_t *garbage;
  ck_fifo_mpmc_init (&fifo, &entries[0]);
  pthread_create (&t, NULL, produce, NULL);
  pthread_join (t, NULL);
  assert (ck_fifo_mpmc_dequeue (&fifo, &got, &garbage) && got == &item);
  return 0;
}
