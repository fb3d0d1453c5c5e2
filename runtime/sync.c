/* sync.c - condition variables, read-write locks, barriers and semaphores, out of atomics.
 *
 * Loops that only wait are recognised as such by the checker. A compare-exchange that fails because
 * somebody else came first leads to nothing that the execution in which its read came later does
 * not show, so it is assumed to succeed.
 */
#include "runtime.h"
#include <pthread.h>
#include <semaphore.h>

#define RLX memory_order_relaxed
#define ACQ memory_order_acquire
#define REL memory_order_release

#define MUST_CAS(at, old, new)                                                                     \
  do {                                                                                             \
    __typeof__ (old) expected_ = (old);                                                            \
    __porf_assume (atomic_compare_exchange_strong_explicit (at, &expected_, new, ACQ, RLX));       \
  } while (0)

/* ---- condition variables: one bit per waiting thread ---- */

typedef struct Condition {
  _Atomic unsigned long waiting;
} Condition;

int pthread_cond_init (pthread_cond_t *restrict c, const pthread_condattr_t *restrict attributes) {
  (void)attributes;
  *(unsigned long *)c = 0;
  return 0;
}
int pthread_cond_destroy (pthread_cond_t *c) {
  (void)c;
  return 0;
}

/* A thread that has woken up for no reason waits in earnest the next time: in a loop that only
 * looks whether to wait again, a second time in a row shows nothing that the first, had it come
 * later, does not show. */
static _Thread_local bool has_woken_for_no_reason;
static bool wakes_for_no_reason (void) {
  return has_woken_for_no_reason = !has_woken_for_no_reason && __porf_spurious ();
}

int pthread_cond_wait (pthread_cond_t *restrict cond, pthread_mutex_t *restrict m) {
  Condition *c = (Condition *)cond;
  unsigned long bit = 1ul << (__porf_thread_self () & 63);
  if (wakes_for_no_reason ()) {
    pthread_mutex_unlock (m);
    pthread_mutex_lock (m);
    return 0;
  }
  atomic_fetch_or_explicit (&c->waiting, bit, RLX);
  pthread_mutex_unlock (m);
  while (atomic_load_explicit (&c->waiting, ACQ) & bit) continue;
  pthread_mutex_lock (m);
  return 0;
}

int pthread_cond_timedwait (pthread_cond_t *restrict c, pthread_mutex_t *restrict m,
                            const struct timespec *restrict until) {
  (void)until;
  if (!any_bool ()) return pthread_cond_wait (c, m);
  pthread_mutex_unlock (m);
  pthread_mutex_lock (m);
  return ETIMEDOUT;
}

/* Any of the waiting threads. */
static unsigned long choose_bit (unsigned long waiting) {
  for (;;) {
    unsigned long lowest = waiting & -waiting;
    waiting &= ~lowest;
    if (!waiting || any_bool ()) return lowest;
  }
}

int pthread_cond_signal (pthread_cond_t *cond) {
  Condition *c = (Condition *)cond;
  unsigned long waiting = atomic_load_explicit (&c->waiting, RLX);
  while (waiting) {
    unsigned long bit = choose_bit (waiting);
    waiting = atomic_fetch_and_explicit (&c->waiting, ~bit, REL);
    if (waiting & bit) return 0;
  }
  return 0;
}

int pthread_cond_broadcast (pthread_cond_t *cond) {
  Condition *c = (Condition *)cond;
  if (atomic_load_explicit (&c->waiting, RLX)) atomic_exchange_explicit (&c->waiting, 0, REL);
  return 0;
}

/* ---- read-write locks: -1 is a writer, n > 0 are n readers ---- */

int pthread_rwlock_init (pthread_rwlock_t *restrict l,
                         const pthread_rwlockattr_t *restrict attributes) {
  (void)attributes;
  *(int *)l = 0;
  return 0;
}
int pthread_rwlock_destroy (pthread_rwlock_t *l) {
  (void)l;
  return 0;
}

int pthread_rwlock_rdlock (pthread_rwlock_t *l) {
  _Atomic int *state = (_Atomic int *)l;
  int s;
  while ((s = atomic_load_explicit (state, RLX)) < 0) continue;
  MUST_CAS (state, s, s + 1);
  return 0;
}
int pthread_rwlock_wrlock (pthread_rwlock_t *l) {
  _Atomic int *state = (_Atomic int *)l;
  while (atomic_load_explicit (state, RLX)) continue;
  MUST_CAS (state, 0, -1);
  return 0;
}
int pthread_rwlock_tryrdlock (pthread_rwlock_t *l) {
  _Atomic int *state = (_Atomic int *)l;
  int s = atomic_load_explicit (state, RLX);
  if (s < 0) return EBUSY;
  MUST_CAS (state, s, s + 1);
  return 0;
}
int pthread_rwlock_trywrlock (pthread_rwlock_t *l) {
  int expected = 0;
  return atomic_compare_exchange_strong_explicit ((_Atomic int *)l, &expected, -1, ACQ, RLX)
             ? 0
             : EBUSY;
}
int pthread_rwlock_unlock (pthread_rwlock_t *l) {
  _Atomic int *state = (_Atomic int *)l;
  if (atomic_load_explicit (state, RLX) < 0)
    atomic_store_explicit (state, 0, REL);
  else
    atomic_fetch_sub_explicit (state, 1, REL);
  return 0;
}

/* ---- barriers: threads arrive in rounds of `count` ---- */

typedef struct Barrier {
  unsigned count;
  _Atomic unsigned arrived, rounds;
} Barrier;

int pthread_barrier_init (pthread_barrier_t *restrict barrier,
                          const pthread_barrierattr_t *restrict attributes, unsigned count) {
  Barrier *b = (Barrier *)barrier;
  (void)attributes;
  if (!count) return EINVAL;
  b->count = count;
  *(unsigned *)&b->arrived = *(unsigned *)&b->rounds = 0;
  return 0;
}
int pthread_barrier_destroy (pthread_barrier_t *b) {
  (void)b;
  return 0;
}
int pthread_barrier_wait (pthread_barrier_t *barrier) {
  Barrier *b = (Barrier *)barrier;
  unsigned n = atomic_fetch_add_explicit (&b->arrived, 1, memory_order_acq_rel);
  unsigned count = b->count, round = n / count;
  if (n % count == count - 1) {
    atomic_store_explicit (&b->rounds, round + 1, REL);
    return PTHREAD_BARRIER_SERIAL_THREAD;
  }
  while (atomic_load_explicit (&b->rounds, ACQ) <= round) continue;
  return 0;
}

/* ---- semaphores ---- */

int sem_init (sem_t *s, int shared, unsigned value) {
  (void)shared;
  *(unsigned *)s = value;
  return 0;
}
int sem_destroy (sem_t *s) {
  (void)s;
  return 0;
}
int sem_post (sem_t *s) {
  atomic_fetch_add_explicit ((_Atomic unsigned *)s, 1, REL);
  return 0;
}
int sem_wait (sem_t *s) {
  _Atomic unsigned *value = (_Atomic unsigned *)s;
  unsigned n;
  while (!(n = atomic_load_explicit (value, RLX))) continue;
  MUST_CAS (value, n, n - 1);
  return 0;
}
int sem_trywait (sem_t *s) {
  _Atomic unsigned *value = (_Atomic unsigned *)s;
  unsigned n = atomic_load_explicit (value, RLX);
  if (!n) return -1;
  MUST_CAS (value, n, n - 1);
  return 0;
}
int sem_getvalue (sem_t *restrict s, int *restrict to) {
  *to = (int)atomic_load_explicit ((_Atomic unsigned *)s, RLX);
  return 0;
}

#undef RLX
#undef ACQ
#undef REL
