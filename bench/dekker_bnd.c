// expect: rc11 55, rc20 55, wkmo2 55, xmm 55, imm 55
//
// dekker_bnd: Dekker's mutual exclusion for two threads, whose waiting loops are given up after
// three rounds. The accesses of the critical section race then, which is not what is counted here.
// flags: --no-race

#include <stdatomic.h>
#include "threads.h"

enum { ROUNDS = 3 };

static atomic_int flag[2], turn;
static int x;

static int get (atomic_int *p) { return atomic_load_explicit (p, memory_order_relaxed); }
static void set (atomic_int *p, int value) {
  atomic_store_explicit (p, value, memory_order_relaxed);
}

static int wait_for_turn (int me) {
  for (int i = 0; i < ROUNDS; i++)
    if (get (&turn) == me) return 1;
  return 0;
}

static void raise_flag (int me) {
  set (&flag[me], 1);
  atomic_thread_fence (memory_order_seq_cst);
}

static int enter (int me) {
  raise_flag (me);
  for (int i = 0; i < ROUNDS; i++) {
    if (get (&flag[1 - me]) < 1) return 1;
    if (get (&turn) == me) continue;
    set (&flag[me], 0);
    if (!wait_for_turn (me)) return 0;
    raise_flag (me);
  }
  return 0;
}

static void *thread (void *arg) {
  int me = number (arg);
  if (!enter (me)) return NULL;
  atomic_thread_fence (memory_order_acquire);
  x = me;
  set (&turn, 1 - me);
  atomic_thread_fence (memory_order_release);
  set (&flag[me], 0);
  return NULL;
}

int main (void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) start (&t[i], thread, i);
  join (t, 2);
}
