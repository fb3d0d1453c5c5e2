// A ring of two places; each side keeps a copy of the other side's index, which every iteration stores anew.
//
// flags: --engine=auto
// verdict[-DITEMS={2,3}]: sc,tso,rc11,rc20,ra,imm pass
// verdict[-DITEMS={2,3} -DBUG=1]: sc,rc11,rc20,ra violation
// verdict[-DITEMS={2,3} -DBUG=1]: tso pass
// verdict[-DITEMS={2,3} -DBUG=1]: imm violation
// slow[-DITEMS={2,3}]: imm
#include "loops.h"
#ifndef ITEMS
#define ITEMS 2
#endif

static struct {
  atomic_int head, tail;
  int seen_head, seen_tail;
  int items[2];
} ring;

static void *producer (void *unused) {
  for (int i = 0; i < ITEMS; i++) {
    int tail = atomic_load_explicit (&ring.tail, RELAXED);
    while (tail - ring.seen_head == 2) ring.seen_head = atomic_load_explicit (&ring.head, ACQUIRE);
    ring.items[tail % 2] = i;
    atomic_store_explicit (&ring.tail, tail + 1, BUG ? RELAXED : RELEASE);
  }
  return 0;
}

static void *consumer (void *unused) {
  for (int i = 0; i < ITEMS; i++) {
    int head = atomic_load_explicit (&ring.head, RELAXED);
    while (head == ring.seen_tail) ring.seen_tail = atomic_load_explicit (&ring.tail, ACQUIRE);
    assert (ring.items[head % 2] == i);
    atomic_store_explicit (&ring.head, head + 1, RELEASE);
  }
  return 0;
}

int main (void) {
  run_beside (1, consumer, producer);
  return 0;
}
