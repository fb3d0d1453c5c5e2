// verdict: rc11 pass
// verdict: tso pass
// finding[-DBUG=1]: rc11 assert twice
// finding[-DBUG=1]: sc assert twice
// finding[-DBUG=2]: rc11 assert twice
// fix[-DBUG=1 --edits --help-time=55]: rc11 bug1
// blame[-DBUG=1]: sc bug1
// fix[-DBUG=2]: rc11 bug2
//
// Treiber's stack with nodes that are used again at once: the word of the top holds the number of a
// node and a tag that changes with every push. A thread that was asleep between reading the top and
// replacing it fails if the same node is on top again but the stack below it has changed (the ABA
// problem).
//
// One thread pops twice; the other pops twice and pushes the first node back. No node has two
// owners.
//
// BUG 1: the tag stays as it is.
// BUG 2: the push publishes the node without its link: another thread can pop with an old link.

#include "structures.h"

enum { NODES = 4, NONE = 0 };

static atomic_int next[NODES], owned[NODES];
static _Atomic (uint64_t) top; /* the tag above 32 bits of node */

static uint64_t make (uint64_t tag, int node) { return tag << 32 | (unsigned)node; }

static void push (int node) {
  uint64_t old = atomic_load_explicit (&top, memory_order_relaxed);
  atomic_store_explicit (&owned[node], 0, memory_order_relaxed);
  do atomic_store_explicit (&next[node], (int)old, memory_order_relaxed);
  while (!atomic_compare_exchange_strong_explicit ( // @bug1 // @bug2
      &top, &old, make ((old >> 32) + (BUG != 1), node), ORDER (release, 2), memory_order_relaxed)); // @bug1
}

static int pop (void) {
  uint64_t old = atomic_load_explicit (&top, memory_order_acquire);
  while ((int)old != NONE) {
    int below = atomic_load_explicit (&next[(int)old], memory_order_relaxed);
    if (atomic_compare_exchange_strong_explicit (&top, &old, make (old >> 32, below),
                                                 memory_order_acquire, memory_order_acquire))
      break;
  }
  int node = (int)old;
  if (node != NONE)
    assert (!atomic_exchange_explicit (&owned[node], 1, memory_order_relaxed)); // @twice
  return node;
}

static void *sleeper (void *arg) {
  pop ();
  pop ();
  return arg;
}

static void *reuser (void *arg) {
  int node = pop ();
  pop ();
  if (node != NONE) push (node);
  return arg;
}

int main (void) {
  pthread_t t[2];
  push (2);
  push (1);
  start (&t[0], sleeper, 0);
  start (&t[1], reuser, 1);
  join (t, 2);
}
