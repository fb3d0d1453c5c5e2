// expect: rc11 15752, rc20 15752, wkmo2 15752, xmm 15752, imm 15752
// slow: imm
//
// mpmc_bnd: a bounded queue for several producers and consumers: a word counts the reads and writes
// that have started, two others those that are done. There is one item at first; two threads write
// one and read till there is none, and give up after a few rounds of waiting.

#include <stdatomic.h>
#include "threads.h"

enum { SLOTS = 4, ROUNDS = 5 };

static atomic_uint started, reads_done, writes_done;

static int is_done (atomic_uint *done, unsigned n) {
  for (int i = 0; i < ROUNDS; i++)
    if ((atomic_load_explicit (done, memory_order_acquire) & 0xffff) == n) return 1;
  return 0;
}

static int try_start (unsigned *seen, unsigned next) {
  return atomic_compare_exchange_strong_explicit (&started, seen, next, memory_order_acq_rel,
                                                  memory_order_acquire);
}

static int read_item (void) {
  unsigned seen = atomic_load_explicit (&started, memory_order_acquire);
  for (int i = 0; i < ROUNDS; i++) {
    unsigned reads = seen >> 16, writes = seen & 0xffff;
    if (reads == writes) return 0;
    if (!try_start (&seen, seen + 0x10000)) continue;
    if (!is_done (&writes_done, writes)) return 0;
    atomic_fetch_add_explicit (&reads_done, 1, memory_order_release);
    return 1;
  }
  return 0;
}

static void write_item (void) {
  unsigned seen = atomic_load_explicit (&started, memory_order_acquire);
  for (int i = 0; i < ROUNDS; i++) {
    unsigned reads = seen >> 16, writes = seen & 0xffff;
    if (writes == reads + SLOTS) break;
    if (!try_start (&seen, reads << 16 | (writes + 1))) continue;
    is_done (&reads_done, reads);
    break;
  }
  atomic_fetch_add_explicit (&writes_done, 1, memory_order_release);
}

static void *thread (void *unused) {
  write_item ();
  for (int i = 0; i < ROUNDS && read_item (); i++);
  return NULL;
}

int main (void) {
  pthread_t t[2];
  write_item ();
  for (int i = 0; i < 2; i++) start (&t[i], thread, i);
  join (t, 2);
}
