// DPDK's locks: each thread adds to a plain counter under the lock; readers see no half of an update.
// flags: -- -isystem build/real/usr/include/dpdk -isystem build/real/usr/include/x86_64-linux-gnu/dpdk -mssse3
// verdict[-DLOCK=MCS]: rc11 pass
// verdict[-DLOCK=MCS]: tso pass
// verdict[-DLOCK=MCS -DTHREADS=3]: rc11 pass
// verdict[-DLOCK=RW]: rc11 pass
// verdict[-DLOCK=RW]: tso pass
// verdict[-DLOCK=RW -DTHREADS=3]: rc11 pass
// verdict[-DLOCK=PF]: rc11 pass
// verdict[-DLOCK=PF]: tso pass
// verdict[-DLOCK=SEQ]: rc11 pass
// verdict[-DLOCK=SEQ]: tso pass
// verdict[-DLOCK=SPIN -DRTE_FORCE_INTRINSICS]: rc11 pass
// verdict[-DLOCK=SPIN -DRTE_FORCE_INTRINSICS]: tso pass
// unsupported[-DLOCK=SPIN]: rc11 inline assembly
// verdict[-DLOCK=TICKET]: rc11 pass
// verdict[-DLOCK=TICKET -DTHREADS=3]: rc11 pass
// verdict[-DLOCK=TICKET]: tso pass
#include <assert.h>
#include <pthread.h>
#include <rte_mcslock.h>
#include <rte_pflock.h>
#include <rte_rwlock.h>
#include <rte_seqcount.h>
#include <rte_spinlock.h>
#include <rte_ticketlock.h>

#ifndef THREADS
#define THREADS 2
#endif

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_ (a, b)

static unsigned x, y;

static void add (void) {
  x++;
  y++;
}

static void look (void) { assert (x == y); }

#define WITH(name, lock, action, unlock)                                                           \
  static void name (int n) {                                                                       \
    (void)n;                                                                                       \
    lock;                                                                                          \
    action ();                                                                                     \
    unlock;                                                                                        \
  }

#define USE_SPIN                                                                                   \
  static rte_spinlock_t l;                                                                         \
  WITH (change, rte_spinlock_lock (&l), add, rte_spinlock_unlock (&l))                             \
  WITH (check, rte_spinlock_lock (&l), look, rte_spinlock_unlock (&l))

#define USE_TICKET                                                                                 \
  static rte_ticketlock_t l;                                                                       \
  WITH (change, rte_ticketlock_lock (&l), add, rte_ticketlock_unlock (&l))                         \
  WITH (check, rte_ticketlock_lock (&l), look, rte_ticketlock_unlock (&l))

#define USE_MCS                                                                                    \
  static rte_mcslock_t *l, nodes[THREADS];                                                         \
  WITH (change, rte_mcslock_lock (&l, &nodes[n]), add, rte_mcslock_unlock (&l, &nodes[n]))         \
  WITH (check, rte_mcslock_lock (&l, &nodes[n]), look, rte_mcslock_unlock (&l, &nodes[n]))

#define USE_RW                                                                                     \
  static rte_rwlock_t l;                                                                           \
  WITH (change, rte_rwlock_write_lock (&l), add, rte_rwlock_write_unlock (&l))                     \
  WITH (check, rte_rwlock_read_lock (&l), look, rte_rwlock_read_unlock (&l))

#define USE_PF                                                                                     \
  static rte_pflock_t l;                                                                           \
  WITH (change, rte_pflock_write_lock (&l), add, rte_pflock_write_unlock (&l))                     \
  WITH (check, rte_pflock_read_lock (&l), look, rte_pflock_read_unlock (&l))

/* Data under a sequence counter must be atomic itself. */
#define USE_SEQ                                                                                    \
  static rte_seqcount_t l;                                                                         \
  static void change (int n) {                                                                     \
    (void)n;                                                                                       \
    rte_seqcount_write_begin (&l);                                                                 \
    __atomic_store_n (&x, x + 1, __ATOMIC_RELAXED);                                                \
    __atomic_store_n (&y, y + 1, __ATOMIC_RELAXED);                                                \
    rte_seqcount_write_end (&l);                                                                   \
  }                                                                                                \
  static void check (int n) {                                                                      \
    (void)n;                                                                                       \
    uint32_t s = rte_seqcount_read_begin (&l);                                                     \
    unsigned a = __atomic_load_n (&x, __ATOMIC_RELAXED),                                           \
             b = __atomic_load_n (&y, __ATOMIC_RELAXED);                                           \
    if (!rte_seqcount_read_retry (&l, s)) assert (a == b);                                         \
  }

JOIN (USE_, LOCK)

/* The first thread writes, the last one reads, one between them writes if the lock is no sequence
 * counter. */
static void *run (void *arg) {
  int n = (int)(intptr_t)arg;
  if (n < THREADS - 1)
    change (n);
  else
    check (n);
  return NULL;
}

int main (void) {
  pthread_t t[THREADS];
  for (int i = 0; i < THREADS; i++) pthread_create (&t[i], NULL, run, (void *)(intptr_t)i);
  for (int i = 0; i < THREADS; i++) pthread_join (t[i], NULL);
  assert (x == THREADS - 1 && y == THREADS - 1);
  return 0;
}
