// Concurrency Kit's ring with one producer and one consumer, so small that it is full at times. With the
// port to GCC builtins the fences are needed under rc11 (CK_MD_RMO); for x86 (the default) they are left out.
// verdict: rc11 pass
// verdict: tso pass
// verdict[--no-race -DCK_USE_CC_BUILTINS=1 -DCK_MD_RMO]: rc11 pass
// finding[--no-race -DCK_USE_CC_BUILTINS=1]: rc11 assert
#include <assert.h>
#include <ck_ring.h>
#include <pthread.h>

enum { ITEMS = 3, SIZE = 2 }; /* a ring of two slots holds one item */

static ck_ring_t ring;
static ck_ring_buffer_t slots[SIZE];
static int items[ITEMS];

static void *produce (void *arg) {
  (void)arg;
  for (int i = 0, tries = 0; i < ITEMS && tries < ITEMS + 1; tries++) {
    items[i] = i + 1;
    i += ck_ring_enqueue_spsc (&ring, slots, &items[i]);
  }
  return NULL;
}

static int consume (int taken) {
  int *item;
  if (!ck_ring_dequeue_spsc (&ring, slots, &item)) return 0;
  assert (item == &items[taken] && *item == taken + 1);
  return 1;
}

int main (void) {
  pthread_t t;
  int taken = 0;
  ck_ring_init (&ring, SIZE);
  pthread_create (&t, NULL, produce, NULL);
  for (int i = 0; i < ITEMS; i++) {
    taken += consume (taken);
    assert (ck_ring_size (&ring) < SIZE);
  }
  pthread_join (t, NULL);
  taken += consume (taken);
  assert (!consume (taken));
  return 0;
}
