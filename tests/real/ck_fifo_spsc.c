// Concurrency Kit's queue with one producer and one consumer; the producer takes back what was consumed. The
// port to GCC builtins relies on the order of dependent loads (ck_fifo_spsc_dequeue), which C11 does not keep.
// verdict: rc11 pass
// verdict: tso pass
// verdict[--no-race -DCK_USE_CC_BUILTINS=1 -DCK_MD_RMO]: tso pass
// finding[--no-race -DCK_USE_CC_BUILTINS=1 -DCK_MD_RMO]: rc11 assert
#include <assert.h>
#include <ck_fifo.h>
#include <pthread.h>

enum { ITEMS = 3 };

static ck_fifo_spsc_t fifo;
static ck_fifo_spsc_entry_t entries[ITEMS + 1];
static int items[ITEMS];

static void *produce (void *arg) {
  (void)arg;
  for (int i = 0; i < ITEMS; i++) {
    ck_fifo_spsc_entry_t *old = ck_fifo_spsc_recycle (&fifo);
    items[i] = i + 1;
    ck_fifo_spsc_enqueue (&fifo, old ? old : &entries[i + 1], &items[i]);
  }
  return NULL;
}

static int consume (int taken) {
  int *item;
  if (!ck_fifo_spsc_dequeue (&fifo, &item)) return 0;
  assert (item == &items[taken] && *item == taken + 1);
  return 1;
}

int main (void) {
  pthread_t t;
  int taken = 0;
  ck_fifo_spsc_init (&fifo, &entries[0]);
  pthread_create (&t, NULL, produce, NULL);
  for (int i = 0; i < 3; i++) taken += consume (taken);
  pthread_join (t, NULL);
  while (consume (taken)) taken++;
  assert (taken == ITEMS && ck_fifo_spsc_isempty (&fifo));
  return 0;
}
