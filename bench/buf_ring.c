// expect: rc11 1218, rc20 1218, wkmo2 1218, xmm 1218, imm 1218
// slow: xmm
//
// buf_ring: a ring for several producers and consumers, as in FreeBSD: a compare-exchange reserves
// a place, then everybody waits for his turn to say that he is done. Three threads put something in
// and take something out. Attempts that lose a race are not repeated. Heads and tails are plain
// variables and race.
// flags: --no-race

#include <assert.h>
#include <stdatomic.h>
#include "threads.h"

void __VERIFIER_assume (int);

enum { SIZE = 8, THREADS = 3 };

typedef struct End {
  unsigned head, tail;
} End;

static volatile End in, out;
static int *_Atomic ring[SIZE];
static int message[THREADS];

static void advance (volatile unsigned *head, unsigned from) {
  unsigned expected = from;
  __VERIFIER_assume (__atomic_compare_exchange_n (head, &expected, (from + 1) % SIZE, 0,
                                                  __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
}

static int enqueue (int *item) {
  unsigned head = in.head;
  unsigned tail = out.tail;
  if ((head + 1) % SIZE == tail) return 0;
  advance (&in.head, head);
  atomic_thread_fence (memory_order_seq_cst);
  atomic_store_explicit (&ring[head], item, memory_order_relaxed);
  __VERIFIER_assume (in.tail == head);
  in.tail = (head + 1) % SIZE;
  return 1;
}

static int *dequeue (void) {
  unsigned head = out.head;
  unsigned tail = in.tail;
  if (head == tail) return NULL;
  advance (&out.head, head);
  int *item = atomic_load_explicit (&ring[head], memory_order_relaxed);
  __VERIFIER_assume (out.tail == head);
  atomic_thread_fence (memory_order_seq_cst);
  out.tail = (head + 1) % SIZE;
  return item;
}

static void *thread (void *arg) {
  int *mine = &message[number (arg)];
  *mine = 1;
  if (!enqueue (mine)) *mine = 2;
  int *item = dequeue ();
  if (item) assert (*item == 1);
  return NULL;
}

int main (void) {
  pthread_t t[THREADS];
  for (int i = 0; i < THREADS; i++) start (&t[i], thread, i);
  join (t, THREADS);
}
