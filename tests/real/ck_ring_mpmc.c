// Concurrency Kit's ring with several producers and consumers: nothing is lost, doubled or seen before it is written.
// With the port to GCC builtins the fences are needed under rc11 (CK_MD_RMO); for x86 (the default) they are left out.
// verdict: rc11 pass
// verdict: tso pass
// verdict[-DPRODUCERS=1 -DCONSUMERS=2]: rc11 pass
// verdict[-DPRODUCERS=1 -DCONSUMERS=2]: tso pass
// verdict[--no-race -DCK_USE_CC_BUILTINS=1 -DCK_MD_RMO]: rc11 pass
// finding[--no-race -DCK_USE_CC_BUILTINS=1]: rc11 assert
// finding[--no-race -DCK_USE_CC_BUILTINS=1]: rc11 null
#include <assert.h>
#include <ck_ring.h>
#include <pthread.h>
#include <stdbool.h>

#ifndef PRODUCERS
#define PRODUCERS 2
#endif
#ifndef CONSUMERS
#define CONSUMERS 1
#endif

enum { SIZE = 4 };

static ck_ring_t ring;
static ck_ring_buffer_t slots[SIZE];
static int items[PRODUCERS];

static void *produce (void *arg) {
  int *item = arg;
  *item = 1;
  bool done = ck_ring_enqueue_mpmc (&ring, slots, item);
  assert (done);
  return NULL;
}

static int consume (void) {
  int *item;
  if (!ck_ring_dequeue_mpmc (&ring, slots, &item)) return 0;
  assert (*item == 1);
  *item = 2;
  return 1;
}

static void *consumer (void *arg) {
  *(int *)arg = consume ();
  return NULL;
}

int main (void) {
  pthread_t p[PRODUCERS], c[CONSUMERS];
  int taken[CONSUMERS] = {0}, sum = 0;
  ck_ring_init (&ring, SIZE);
  for (int i = 0; i < PRODUCERS; i++) pthread_create (&p[i], NULL, produce, &items[i]);
  for (int i = 0; i < CONSUMERS; i++) pthread_create (&c[i], NULL, consumer, &taken[i]);
  for (int i = 0; i < PRODUCERS; i++) pthread_join (p[i], NULL);
  for (int i = 0; i < CONSUMERS; i++) pthread_join (c[i], NULL);
  for (int i = 0; i < CONSUMERS; i++) sum += taken[i];
  while (consume ()) sum++;
  assert (sum == PRODUCERS && ck_ring_size (&ring) == 0);
  return 0;
}
