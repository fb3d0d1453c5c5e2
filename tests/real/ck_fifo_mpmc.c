// Concurrency Kit's queue for several producers and consumers reads halves of what it exchanges with cmpxchg16b. That
// works as long as the accesses are ordered; atomic accesses of different sizes at the same time are refused by name.
// verdict: rc11 pass
// verdict: tso pass
// unsupported[-DTOGETHER]: rc11 atomic accesses of different sizes
// unsupported[-DTOGETHER]: tso atomic accesses of different sizes
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
#ifdef TOGETHER
  if (ck_fifo_mpmc_dequeue (&fifo, &got, &garbage)) assert (got == &item);
  pthread_join (t, NULL);
#else
  pthread_join (t, NULL);
  assert (ck_fifo_mpmc_dequeue (&fifo, &got, &garbage) && got == &item);
#endif
  return 0;
}
