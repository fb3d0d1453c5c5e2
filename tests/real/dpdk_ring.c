// DPDK's ring: two producers and a consumer on a ring of one place; it never holds more than fits and loses nothing.
// DPDK 22.11.11; dpdk_ring_old.c has an older one. The plain build reads and writes volatile counters, in the order of x86; RTE_USE_C11_MEM_MODEL has C11 atomics.
// flags: -- -isystem build/real/usr/include/dpdk -isystem build/real/usr/include/x86_64-linux-gnu/dpdk -mssse3
// verdict[-fms-volatile]: tso pass
// verdict[-fms-volatile]: rc11 pass
// verdict[-DRTE_USE_C11_MEM_MODEL]: tso pass
// verdict[-DRTE_USE_C11_MEM_MODEL]: rc11 pass
#include <assert.h>
#include <pthread.h>
#include <rte_ring.h>

#ifndef SYNC
#define SYNC RTE_RING_SYNC_MT
#endif

enum { SIZE = 2, PRODUCERS = 2 };

static struct {
  struct rte_ring ring;
  void *slots[SIZE];
} q = {.ring = {.size = SIZE,
                .mask = SIZE - 1,
                .capacity = SIZE - 1,
                .prod = {.sync_type = SYNC},
                .cons = {.sync_type = SYNC}}};

static int items[PRODUCERS + 1], sent[PRODUCERS + 1];

static void *produce (void *arg) {
  int n = (int)(intptr_t)arg;
  items[n] = 1;
  sent[n] = rte_ring_enqueue (&q.ring, &items[n]) == 0;
  return NULL;
}

static int consume (void) {
  void *item;
  if (rte_ring_dequeue (&q.ring, &item)) return 0;
  assert (*(int *)item == 1);
  *(int *)item = 2;
  return 1;
}

int main (void) {
  pthread_t t[PRODUCERS];
  int taken = 0;
  produce ((void *)(intptr_t)PRODUCERS);
  for (int i = 0; i < PRODUCERS; i++) pthread_create (&t[i], NULL, produce, (void *)(intptr_t)i);
  taken += consume ();
  for (int i = 0; i < PRODUCERS; i++) pthread_join (t[i], NULL);
  assert (sent[0] + sent[1] + sent[2] - taken < SIZE);
  while (consume ()) taken++;
  assert (taken == sent[0] + sent[1] + sent[2]);
  return 0;
}
