/* sync.c - condition variables, read-write locks, barriers and semaphores, out of atomics.
 *
 * Loops that only wait are recognised as such by the checker. Words on which threads wait stand in
 * the shadow of their object (see __porf_shadow): who is woken may find the object destroyed and
 * freed already, as POSIX allows.
 */
#include "runtime.h"
#include <pthread.h>
#include <semaphore.h>

#define RLX memory_order_relaxed
#define ACQ memory_order_acquire
#define REL memory_order_release
#define ACQ_REL memory_order_acq_rel

/* Called, and never defined: see runtime.h. */
void porf_condition_variable_in_a_program_with_more_than_64_threads (void);
void porf_read_write_lock_in_a_program_with_more_than_63_threads (void);

/* The word at `at`, if it has a value: locks in fresh memory are not written more than needed. */
static void clear_word (int *at) {
  if (__porf_word_state (at) != WORD_EMPTY) *at = 0;
}

/* ---- condition variables: one bit per waiting thread; who clears it wakes the thread ---- */

typedef struct Condition {
  _Atomic unsigned long waiting;
  int state; /* 0, or DESTROYED */
  int mark;  /* life.c */
} Condition;

/* Attributes make no difference here. */
#define ATTRIBUTES_OF(kind)                                                                        \
  int pthread_##kind##attr_init (pthread_##kind##attr_t *a) { return init_attributes (a, 0); }     \
  int pthread_##kind##attr_destroy (pthread_##kind##attr_t *a) { return destroy_attributes (a); }  \
  IGNORED (kind##attr_setpshared, kind##attr_t)
ATTRIBUTES_OF (cond)
ATTRIBUTES_OF (rwlock)
ATTRIBUTES_OF (barrier)
IGNORED (condattr_setclock, condattr_t)
int pthread_rwlockattr_setkind_np (pthread_rwlockattr_t *a, int kind);
IGNORED (rwlockattr_setkind_np, rwlockattr_t)

int pthread_cond_init (pthread_cond_t *restrict cond,
                       const pthread_condattr_t *restrict attributes) {
  Condition *c = (Condition *)cond;
  if (attributes) use_attributes (attributes);
  begin_life (c, &c->mark);
  *(unsigned long *)&c->waiting = 0;
  clear_word (&c->state);
  return 0;
}

/* Looking at `state` is no event unless a thread destroys the condition variable. */
static Condition *use_condition (pthread_cond_t *cond) {
  Condition *c = (Condition *)cond;
  _Atomic int *state = (_Atomic int *)&c->state;
  if (__porf_word_state (&c->state) != WORD_EMPTY && atomic_load_explicit (state, RLX))
    __porf_misuse (&c->state, "` can be used after it was destroyed");
  return c;
}

int pthread_cond_destroy (pthread_cond_t *cond) {
  Condition *c = use_condition (cond);
  if (atomic_load_explicit (&c->waiting, RLX))
    __porf_misuse (c, "` can be destroyed while a thread waits for it");
  atomic_store_explicit ((_Atomic int *)&c->state, DESTROYED, RLX);
  end_life (c, &c->mark);
  return 0;
}

/* Changes whenever the thread is woken from this condition variable: 0, 1, 0, … A thread knows of all
 * earlier times, for it has waited for each, so two values are enough, and no count tells pasts apart. */
static _Atomic unsigned *wakings (pthread_cond_t *cond, unsigned long thread) {
  return (_Atomic unsigned *)__porf_shadow (cond) + (thread - 1);
}

/* All that wait at the same time have to do so with the same mutex. Each leaves a number that
 * stands for its own. Who sees by `waiting` that another one waits, with the same mutex, comes
 * after it, and finds its number. */
static void bind_mutex (Condition *c, pthread_mutex_t *m, unsigned long self) {
  _Atomic unsigned *bound = __porf_shadow (&c->state);
  unsigned long at = (unsigned long)m;
  unsigned number = (unsigned)((at >> 30) * 2654435761u + at) | 1;
  atomic_store_explicit (&bound[self - 1], number, RLX);
  unsigned long others = atomic_fetch_or_explicit (&c->waiting, 1ul << (self - 1), RLX);
  for (; others; others &= others - 1) {
    unsigned other = atomic_load_explicit (&bound[__builtin_ctzl (others)], RLX);
    if (other && other != number)
      __porf_misuse (c, "` can be waited on with two different mutexes at the same time");
  }
}

/* A mutex that was locked again stays locked. */
static bool is_released_by_wait (pthread_mutex_t *m) {
  return !is_remembered (m) || !find_held (m) || find_held (m)->count == 1;
}

/* Wakes up without having been signalled: by a timeout, or for no reason. A thread that does so
 * twice in a row, without a side effect in between, could have slept through the first time. So the
 * second time counts as no side effect: loops that come back to where they were end like others
 * that wait. */
static _Thread_local pthread_mutex_t *woke_early_with;
static _Thread_local unsigned long effects_then;

static void wake_early (pthread_mutex_t *m) {
  unsigned long before = __porf_effects (0);
  bool is_again = woke_early_with == m && effects_then == before;
  if (is_released_by_wait (m)) {
    __porf_mutex_unlock (m);
    __porf_mutex_lock (m);
  }
  if (is_again) {
    __porf_effects (before);
  } else {
    woke_early_with = m;
    effects_then = __porf_effects (0) + 1; /* this assignment is one, too */
  }
}

/* Waits in earnest, until woken; a wait that will end otherwise is assumed to be woken. */
static void wait_for_waking (pthread_cond_t *cond, pthread_mutex_t *m, bool is_assumed) {
  unsigned long self = __porf_thread_number ();
  if (self > 64) porf_condition_variable_in_a_program_with_more_than_64_threads ();
  Condition *c = use_condition (cond);
  _Atomic unsigned *woken = wakings (cond, self);
  bool releases = is_released_by_wait (m);
  unsigned before = atomic_load_explicit (woken, RLX);
  bind_mutex (c, m, self);
  if (releases) __porf_mutex_unlock (m);
  if (is_assumed)
    __porf_assume (atomic_load_explicit (woken, ACQ) != before);
  else
    while (atomic_load_explicit (woken, ACQ) == before) continue;
  if (releases) __porf_mutex_lock (m);
}

int pthread_cond_wait (pthread_cond_t *restrict cond, pthread_mutex_t *restrict m) {
  if (is_remembered (m) && !find_held (m)) return say_not_held (m);
  if (!__porf_spurious ()) {
    wait_for_waking (cond, m, false);
    return 0;
  }
  use_condition (cond);
  wake_early (m);
  return 0;
}

int pthread_cond_timedwait (pthread_cond_t *restrict cond, pthread_mutex_t *restrict m,
                            const struct timespec *restrict until) {
  (void)until;
  if (is_remembered (m) && !find_held (m)) return say_not_held (m);
  if (!__porf_timeout ()) {
    wait_for_waking (cond, m, true);
    return 0;
  }
  use_condition (cond);
  wake_early (m);
  return ETIMEDOUT;
}
int pthread_cond_clockwait (pthread_cond_t *restrict c, pthread_mutex_t *restrict m,
                            clockid_t clock, const struct timespec *restrict until) {
  (void)clock;
  return pthread_cond_timedwait (c, m, until);
}

/* Any of the waiting threads. */
static unsigned long choose_bit (unsigned long waiting) {
  for (;;) {
    unsigned long lowest = waiting & -waiting;
    waiting &= ~lowest;
    if (!waiting || any_bool ()) return lowest;
  }
}

static void wake_all (pthread_cond_t *cond, unsigned long bits) {
  for (; bits; bits &= bits - 1) {
    unsigned long thread = 1 + (unsigned long)__builtin_ctzl (bits);
    atomic_fetch_xor_explicit (wakings (cond, thread), 1, REL);
  }
}

int pthread_cond_signal (pthread_cond_t *cond) {
  Condition *c = use_condition (cond);
  unsigned long waiting = atomic_load_explicit (&c->waiting, RLX);
  while (waiting) {
    unsigned long bit = choose_bit (waiting);
    waiting = atomic_fetch_and_explicit (&c->waiting, ~bit, RLX);
    if (waiting & bit) {
      wake_all (cond, bit);
      return 0;
    }
  }
  return 0;
}

int pthread_cond_broadcast (pthread_cond_t *cond) {
  Condition *c = use_condition (cond);
  if (atomic_load_explicit (&c->waiting, RLX))
    wake_all (cond, atomic_exchange_explicit (&c->waiting, 0, RLX));
  return 0;
}

/* ---- read-write locks: a mutex for the writers, then one for every thread that reads ----
 *
 * A reader locks its own, a writer all of them, so that readers have nothing to do with each other.
 * A writer skips those of threads that read in no execution: they were never accessed. That of the
 * writers is the lock's first word, so that overwriting it is noticed; a writer unlocks it first.
 * Those of the readers are in the shadow: a reader may have the lock, and free it, while the writer
 * still unlocks others. A reader also locks a word of the lock that only it uses, so that overwriting it
 * is noticed; in larger programs the last readers have none. */

enum { WORDS = 64, FIRST_OWN = 3, END_OWN = 12 };

static int *words_of (pthread_rwlock_t *l) { return __porf_shadow (l); }
static bool is_used (int *word) { return __porf_word_state (word) == WORD_SHARED; }

static int *mark_of_rwlock (pthread_rwlock_t *l) { return (int *)l + 1; }
static _Atomic int *end_of_rwlock (pthread_rwlock_t *l) { return (_Atomic int *)l + 2; }

int pthread_rwlock_init (pthread_rwlock_t *restrict l,
                         const pthread_rwlockattr_t *restrict attributes) {
  if (attributes) use_attributes (attributes);
  int *words = words_of (l);
  begin_life (l, mark_of_rwlock (l));
  *(int *)l = 0;
  *(int *)end_of_rwlock (l) = 0;
  for (int i = 1; i < WORDS; i++)
    if (is_used (&words[i])) atomic_store_explicit ((_Atomic int *)&words[i], 0, RLX);
  return 0;
}

static int *use_rwlock (pthread_rwlock_t *l) {
  if (atomic_load_explicit (end_of_rwlock (l), RLX))
    __porf_misuse (l, "` can be used after it was destroyed");
  return words_of (l);
}

int pthread_rwlock_destroy (pthread_rwlock_t *l) {
  int *words = use_rwlock (l);
  for (int i = 0; i < WORDS; i++) {
    int *word = i ? &words[i] : (int *)l;
    if (is_used (word) && atomic_load_explicit ((_Atomic int *)word, RLX))
      __porf_misuse (word, "` can be destroyed while it is locked");
  }
  atomic_store_explicit (end_of_rwlock (l), DESTROYED, RLX);
  end_life (l, mark_of_rwlock (l));
  return 0;
}

static long number_of_reader (void) {
  unsigned long self = __porf_thread_number ();
  if (self >= WORDS) porf_read_write_lock_in_a_program_with_more_than_63_threads ();
  return (long)self;
}

static int *own_word (pthread_rwlock_t *l) {
  long i = FIRST_OWN - 1 + number_of_reader ();
  return i < END_OWN ? (int *)l + i : NULL;
}

static int start_reading (pthread_rwlock_t *l) {
  int *word = own_word (l);
  if (word) *word = 0;
  if (word) __porf_mutex_lock (word);
  add_held (l);
  return 0;
}

static void stop_reading (pthread_rwlock_t *l, int *words) {
  int *word = own_word (l);
  if (word) __porf_mutex_unlock (word);
  __porf_mutex_unlock (&words[number_of_reader ()]);
}

static bool reads_again (pthread_rwlock_t *l) {
  Held *h = find_held (l);
  if (!h) return false;
  if (h->is_writer) __porf_mutex_lock (l); /* which it holds: a finding */
  h->count++;
  return true;
}

int pthread_rwlock_rdlock (pthread_rwlock_t *l) {
  int *words = use_rwlock (l);
  if (reads_again (l)) return 0;
  __porf_mutex_lock (&words[number_of_reader ()]);
  return start_reading (l);
}
int pthread_rwlock_tryrdlock (pthread_rwlock_t *l) {
  int *words = use_rwlock (l);
  Held *h = find_held (l);
  if (h && h->is_writer) return EBUSY;
  if (reads_again (l)) return 0;
  if (!__porf_mutex_trylock (&words[number_of_reader ()])) return EBUSY;
  return start_reading (l);
}

static Held *start_writing (pthread_rwlock_t *l) {
  Held *h = add_held (l);
  h->is_writer = true;
  return h;
}

int pthread_rwlock_wrlock (pthread_rwlock_t *l) {
  int *words = use_rwlock (l);
  Held *h = find_held (l);
  if (h) __porf_mutex_lock (h->is_writer ? (int *)l : &words[number_of_reader ()]);
  unsigned long locked = 0;
  __porf_mutex_lock (l);
  for (int i = 1; i < WORDS; i++)
    if (is_used (&words[i])) {
      __porf_lock_part (&words[i], i);
      locked |= 1ul << i;
    }
  start_writing (l)->words = locked;
  return 0;
}

/* Either all words can be had, or one of them, any, is seen to be taken. */
int pthread_rwlock_trywrlock (pthread_rwlock_t *l) {
  int *words = use_rwlock (l);
  if (find_held (l)) return EBUSY;
  if (any_bool ()) {
    for (int i = 0; i < WORDS; i++) {
      int *word = i ? &words[i] : (int *)l;
      if (is_used (word) && any_bool ()) {
        __porf_assume (atomic_load_explicit ((_Atomic int *)word, RLX));
        return EBUSY;
      }
    }
    __porf_assume (false);
  }
  unsigned long locked = 0;
  __porf_assume (__porf_mutex_trylock (l));
  for (int i = 1; i < WORDS; i++)
    if (is_used (&words[i])) {
      __porf_assume (__porf_mutex_trylock (&words[i]));
      locked |= 1ul << i;
    }
  start_writing (l)->words = locked;
  return 0;
}

int pthread_rwlock_unlock (pthread_rwlock_t *l) {
  int *words = use_rwlock (l);
  Held *h = find_held (l);
  if (!h) {
    __porf_misuse (l, "` can be unlocked by a thread that does not hold it");
    return EPERM;
  }
  if (--h->count) return 0;
  unsigned long locked = h->words;
  bool is_writer = h->is_writer;
  remove_held (h);
  if (!is_writer) {
    stop_reading (l, words);
    return 0;
  }
  __porf_mutex_unlock (l);
  for (int i = 1; i < WORDS; i++)
    if (locked & 1ul << i) __porf_mutex_unlock (&words[i]);
  return 0;
}

/* As of mutexes: see pthread_mutex_timedlock. */
int pthread_rwlock_timedrdlock (pthread_rwlock_t *restrict l,
                                const struct timespec *restrict until) {
  (void)until;
  return pthread_rwlock_tryrdlock (l) ? ETIMEDOUT : 0;
}
int pthread_rwlock_timedwrlock (pthread_rwlock_t *restrict l,
                                const struct timespec *restrict until) {
  (void)until;
  return pthread_rwlock_trywrlock (l) ? ETIMEDOUT : 0;
}
int pthread_rwlock_clockrdlock (pthread_rwlock_t *restrict l, clockid_t clock,
                                const struct timespec *restrict until) {
  (void)clock;
  return pthread_rwlock_timedrdlock (l, until);
}
int pthread_rwlock_clockwrlock (pthread_rwlock_t *restrict l, clockid_t clock,
                                const struct timespec *restrict until) {
  (void)clock;
  return pthread_rwlock_timedwrlock (l, until);
}

/* ---- barriers: threads arrive in rounds of `count` ---- */

typedef struct Barrier {
  _Atomic unsigned arrived;
  unsigned count;
  unsigned
      rounds; /* of earlier barriers at this place; threads may be about to leave the last one */
  int mark;   /* life.c */
} Barrier;
enum { BARRIER_DESTROYED = 1u << 31 };

int pthread_barrier_init (pthread_barrier_t *restrict barrier,
                          const pthread_barrierattr_t *restrict attributes, unsigned count) {
  Barrier *b = (Barrier *)barrier;
  int *rounds = __porf_shadow (b);
  if (attributes) use_attributes (attributes);
  if (!count) return EINVAL;
  begin_life (b, &b->mark);
  b->count = count;
  atomic_store_explicit (&b->arrived, 0, RLX); /* a plain one would have all waiting shown */
  b->rounds = is_used (rounds) ? atomic_load_explicit ((_Atomic unsigned *)rounds, RLX) : 0;
  return 0;
}

/* Uses read the count, which is 0 in no barrier: so they need not look at the mark. */
static unsigned count_of (Barrier *b) {
  unsigned count = b->count;
  if (!count) __porf_misuse (b, "` can be used before it was initialised");
  return count;
}

int pthread_barrier_destroy (pthread_barrier_t *barrier) {
  Barrier *b = (Barrier *)barrier;
  unsigned count = count_of (b);
  unsigned arrived = atomic_exchange_explicit (&b->arrived, BARRIER_DESTROYED, RLX);
  if (arrived >= BARRIER_DESTROYED)
    __porf_misuse (b, "` can be destroyed twice");
  else if (arrived % count)
    __porf_misuse (b, "` can be destroyed while a thread waits for it");
  end_life (b, &b->mark);
  return 0;
}

static int arrive_in_any_order (Barrier *b) {
  unsigned count = count_of (b), round = b->rounds;
  _Atomic unsigned *rounds = __porf_shadow (b);
  unsigned n = atomic_fetch_add_explicit (&b->arrived, 1, ACQ_REL);
  round += n / count;
  if (n >= BARRIER_DESTROYED) __porf_misuse (b, "` can be used after it was destroyed");
  if (n % count == count - 1) {
    __c11_atomic_fetch_max (rounds, round + 1, REL); /* the next round may be faster */
    return PTHREAD_BARRIER_SERIAL_THREAD;
  }
  while (atomic_load_explicit (rounds, ACQ) <= round) continue;
  return 0;
}

/* In the order of their numbers: this is indistinguishable, since an arrival orders nothing but
 * what comes after the barrier, and that comes after all arrivals. It is an RMW here, too: under
 * tso and pso that is a fence. */
static void arrive_in_turn (Barrier *b, unsigned turn) {
  unsigned n, count = b->count;
  _Atomic unsigned *rounds = __porf_shadow (b);
  while ((n = atomic_load_explicit (&b->arrived, ACQ)) % count != turn && n < BARRIER_DESTROYED)
    continue;
  n = atomic_fetch_add_explicit (&b->arrived, 1, ACQ_REL);
  if (n >= BARRIER_DESTROYED) __porf_misuse (b, "` can be used after it was destroyed");
  unsigned round = b->rounds + n / count;
  if (turn == count - 1)
    atomic_store_explicit (rounds, round + 1, REL);
  else
    while (atomic_load_explicit (rounds, ACQ) <= round) continue;
}

/* The thread that is told that it is the serial one is any of them: the one that comes last. */
int pthread_barrier_wait (pthread_barrier_t *barrier) {
  Barrier *b = (Barrier *)barrier;
  __porf_turn (b, -1ul);
  return arrive_in_any_order (b);
}

/* The same where no thread looks at the result (src/front/externs.def). */
void porf_barrier_pass (pthread_barrier_t *barrier);
void porf_barrier_pass (pthread_barrier_t *barrier) {
  Barrier *b = (Barrier *)barrier;
  long turn = __porf_turn (b, count_of (b));
  if (turn < 0)
    arrive_in_any_order (b);
  else
    arrive_in_turn (b, (unsigned)turn);
}

/* ---- semaphores ---- */

typedef struct Semaphore {
  _Atomic unsigned value;
  int is_large; /* only then can the value overflow */
  int mark;     /* life.c */
} Semaphore;
enum { SEMAPHORE_DESTROYED = 1u << 31, LARGE = SEM_VALUE_MAX / 2 };

int sem_init (sem_t *semaphore, int shared, unsigned value) {
  Semaphore *s = (Semaphore *)semaphore;
  (void)shared;
  if (value > SEM_VALUE_MAX) {
    errno = EINVAL;
    return -1;
  }
  begin_life (s, &s->mark);
  atomic_store_explicit (&s->value, value, RLX); /* a plain one would have all waiting shown */
  clear_word (&s->is_large);
  if (value > LARGE) s->is_large = 1;
  return 0;
}

/* The mark is for use before and beside initialisation. What was destroyed is seen by the value. */
static _Atomic unsigned *use_semaphore (sem_t *s) {
  check_life (s, &((Semaphore *)s)->mark);
  return (_Atomic unsigned *)s;
}
static unsigned check_semaphore (sem_t *s, unsigned value) {
  if (value >= SEMAPHORE_DESTROYED) __porf_misuse (s, "` can be used after it was destroyed");
  return value;
}

int sem_destroy (sem_t *s) {
  unsigned old = atomic_exchange_explicit ((_Atomic unsigned *)s, SEMAPHORE_DESTROYED, RLX);
  if (old >= SEMAPHORE_DESTROYED) __porf_misuse (s, "` can be destroyed twice");
  check_life (s, &((Semaphore *)s)->mark);
  end_life (s, &((Semaphore *)s)->mark);
  return 0;
}

/* Whether the semaphore is full. */
static bool is_full (sem_t *s) {
  int *is_large = &((Semaphore *)s)->is_large;
  if (__porf_word_state (is_large) == WORD_EMPTY || !*is_large) return false;
  return atomic_load_explicit ((_Atomic unsigned *)s, RLX) == SEM_VALUE_MAX;
}

int sem_post (sem_t *s) {
  _Atomic unsigned *value = use_semaphore (s);
  if (is_full (s)) {
    errno = EOVERFLOW;
    return -1;
  }
  check_semaphore (s, atomic_fetch_add_explicit (value, 1, REL));
  return 0;
}
int sem_wait (sem_t *s) {
  unsigned old;
  _Atomic unsigned *value = use_semaphore (s);
  while (!(old = __porf_take (value))) continue;
  check_semaphore (s, old);
  return 0;
}
static int take_or_fail (sem_t *s, int error) {
  if (check_semaphore (s, __porf_take (use_semaphore (s)))) return 0;
  errno = error;
  return -1;
}
int sem_trywait (sem_t *s) { return take_or_fail (s, EAGAIN); }
int sem_timedwait (sem_t *restrict s, const struct timespec *restrict until) {
  (void)until;
  return take_or_fail (s, ETIMEDOUT);
}
int sem_clockwait (sem_t *restrict s, clockid_t clock, const struct timespec *restrict until) {
  (void)clock, (void)until;
  return take_or_fail (s, ETIMEDOUT);
}
int sem_getvalue (sem_t *restrict s, int *restrict to) {
  *to = (int)check_semaphore (s, atomic_load_explicit (use_semaphore (s), RLX));
  return 0;
}

#undef RLX
#undef ACQ
#undef REL
#undef ACQ_REL
