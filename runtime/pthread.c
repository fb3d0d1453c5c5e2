/* pthread.c - POSIX threads, mutexes and thread-specific data. */
#include "runtime.h"
#include <limits.h>
#include <pthread.h>
#include <setjmp.h>

/* Called, and never defined: see runtime.h. */
void porf_more_than_64_thread_specific_keys (void);
void porf_more_than_1023_threads (void);
void porf_more_than_16_locks_held_at_once (void);
void porf_robust_mutexes (void);
void porf_pthread_exit_between_pthread_cleanup_push_and_pop (void);

/* ---- threads ---- */

/* Who joins or detaches a thread leaves a mark. No other thread reads it unless something is wrong,
 * so that it is private and no event. */
enum { JOINABLE, JOINED, DETACHED };
static _Atomic int marks[1024]; /* by handle */

static void collect (unsigned long t, int how) {
  if (t >= 1024) porf_more_than_1023_threads ();
  int mark = atomic_load_explicit (&marks[t], memory_order_relaxed);
  if (mark == JOINED)
    __porf_thread_misuse (t, how == JOINED ? " can be joined twice"
                                           : " can be detached after it was joined");
  if (mark == DETACHED)
    __porf_thread_misuse (t, how == JOINED ? " can be joined although it is detached"
                                           : " can be detached twice");
  atomic_store_explicit (&marks[t], how, memory_order_relaxed);
}

static void *join (unsigned long t) {
  if (t == __porf_thread_number ()) __porf_thread_misuse (t, " can join itself");
  void *value = __porf_thread_join (t);
  collect (t, JOINED);
  return value;
}

static void detach (unsigned long t) {
  __porf_thread_detach (t);
  collect (t, DETACHED);
}

/* An attribute object is its detach state. */
int pthread_attr_init (pthread_attr_t *a) { return init_attributes (a, PTHREAD_CREATE_JOINABLE); }
int pthread_attr_destroy (pthread_attr_t *a) { return destroy_attributes (a); }
int pthread_attr_setdetachstate (pthread_attr_t *a, int state) {
  if (state != PTHREAD_CREATE_JOINABLE && state != PTHREAD_CREATE_DETACHED) return EINVAL;
  return set_attributes (a, state);
}
int pthread_attr_getdetachstate (const pthread_attr_t *a, int *state) {
  *state = use_attributes (a);
  return 0;
}

/* What makes no difference here. */
static int ignore_attribute (const void *a) {
  use_attributes (a);
  return 0;
}
#define IGNORED(name, type)                                                                        \
  int pthread_##name (pthread_##type *a, int value) {                                              \
    (void)value;                                                                                   \
    return ignore_attribute (a);                                                                   \
  }
int pthread_attr_setstacksize (pthread_attr_t *a, size_t size) {
  (void)size;
  return ignore_attribute (a);
}
int pthread_attr_setguardsize (pthread_attr_t *a, size_t size) {
  (void)size;
  return ignore_attribute (a);
}
int pthread_attr_setschedparam (pthread_attr_t *restrict a,
                                const struct sched_param *restrict parameters) {
  (void)parameters;
  return ignore_attribute (a);
}
IGNORED (attr_setscope, attr_t)
IGNORED (attr_setinheritsched, attr_t)
IGNORED (attr_setschedpolicy, attr_t)

int pthread_create (pthread_t *restrict to, const pthread_attr_t *restrict attributes,
                    void *(*function) (void *), void *restrict argument) {
  bool is_detached = attributes && use_attributes (attributes) == PTHREAD_CREATE_DETACHED;
  unsigned long t = __porf_thread_create (function, argument);
  if (is_detached) detach (t);
  *to = t;
  return 0;
}

int pthread_join (pthread_t t, void **result) {
  void *value = join (t);
  if (result) *result = value;
  return 0;
}
int pthread_detach (pthread_t t) {
  detach (t);
  return 0;
}
int pthread_equal (pthread_t a, pthread_t b) { return a == b; }

/* What pthread_cleanup_push and pthread_cleanup_pop are made of. Without cancellation the handlers
 * matter to pthread_exit alone. */
static _Thread_local int cleanups;
void __pthread_register_cancel (__pthread_unwind_buf_t *buffer) {
  (void)buffer;
  cleanups++;
}
void __pthread_unregister_cancel (__pthread_unwind_buf_t *buffer) {
  (void)buffer;
  cleanups--;
}
int __sigsetjmp (struct __jmp_buf_tag *buffer, int mask) {
  (void)buffer, (void)mask;
  return 0; /* longjmp, which would jump back, is not supported */
}
_Noreturn void pthread_exit (void *value) {
  if (cleanups) porf_pthread_exit_between_pthread_cleanup_push_and_pop ();
  __porf_thread_exit (value);
}

/* ---- locks that a thread has to remember: mutexes that can be locked again or say so, and
 * read-write locks. It does so in memory of its own, which makes no events. ---- */

typedef struct Held {
  void *lock;
  unsigned count;
  bool is_writer;
  unsigned long words; /* that a writer has locked, a bit each */
} Held;
static _Thread_local Held held[16];
static _Thread_local int held_count;

static Held *find_held (void *lock) {
  for (int i = 0; i < held_count; i++)
    if (held[i].lock == lock) return &held[i];
  return NULL;
}
static Held *add_held (void *lock) {
  if (held_count == 16) porf_more_than_16_locks_held_at_once ();
  Held *h = &held[held_count++];
  h->lock = lock;
  h->count = 1;
  h->is_writer = false;
  h->words = 0;
  return h;
}
static void remove_held (Held *h) {
  Held *last = &held[--held_count];
  h->lock = last->lock;
  h->count = last->count;
  h->is_writer = last->is_writer;
  h->words = last->words;
  last->lock = NULL;
  last->count = 0;
  last->is_writer = false;
  last->words = 0;
}

/* ---- mutexes: the lock word is the first int ---- */

/* Default mutexes never have it written, unless the memory was used before. */
static int kind_of (pthread_mutex_t *m) {
  int *kind = &m->__data.__kind;
  return __porf_word_state (kind) == WORD_EMPTY ? 0 : *kind & 3;
}
static bool is_remembered (pthread_mutex_t *m) {
  int kind = kind_of (m);
  return kind == PTHREAD_MUTEX_RECURSIVE || kind == PTHREAD_MUTEX_ERRORCHECK;
}

static int *mark_of_mutex (pthread_mutex_t *m) { return &m->__data.__owner; }

static void init_mutex (pthread_mutex_t *m, int kind) {
  begin_life (m, mark_of_mutex (m));
  *(int *)m = 0;
  if (kind || __porf_word_state (&m->__data.__kind) != WORD_EMPTY) m->__data.__kind = kind;
}
int pthread_mutex_init (pthread_mutex_t *m, const pthread_mutexattr_t *attributes) {
  init_mutex (m, attributes ? use_attributes (attributes) : 0);
  return 0;
}

/* Locks of one word are destroyed alike. */
static void destroy_word (void *word) {
  int expected = 0;
  if (!atomic_compare_exchange_strong_explicit ((_Atomic int *)word, &expected, DESTROYED,
                                                memory_order_relaxed, memory_order_relaxed))
    __porf_misuse (word, expected == DESTROYED ? "` can be destroyed twice"
                                               : "` can be destroyed while it is locked");
}
int pthread_mutex_destroy (pthread_mutex_t *m) {
  destroy_word (m);
  end_life (m, mark_of_mutex (m));
  return 0;
}

/* Whether the calling thread holds the mutex, of a kind that can tell, and has locked it again. */
static int lock_again (pthread_mutex_t *m, int error) {
  if (kind_of (m) == PTHREAD_MUTEX_ERRORCHECK) return error;
  find_held (m)->count++;
  return 0;
}

int pthread_mutex_lock (pthread_mutex_t *m) {
  if (!is_remembered (m)) {
    __porf_mutex_lock (m);
    return 0;
  }
  if (find_held (m)) return lock_again (m, EDEADLK);
  __porf_mutex_lock (m);
  add_held (m);
  return 0;
}
int pthread_mutex_trylock (pthread_mutex_t *m) {
  if (!is_remembered (m)) return __porf_mutex_trylock (m) ? 0 : EBUSY;
  if (find_held (m)) return lock_again (m, EBUSY);
  if (!__porf_mutex_trylock (m)) return EBUSY;
  add_held (m);
  return 0;
}
/* Of a mutex that can tell: only of one that exists. */
static int say_not_held (pthread_mutex_t *m) {
  if (atomic_load_explicit ((_Atomic int *)m, memory_order_relaxed) == DESTROYED)
    __porf_misuse (m, "` can be used after it was destroyed");
  return EPERM;
}
int pthread_mutex_unlock (pthread_mutex_t *m) {
  if (is_remembered (m)) {
    Held *h = find_held (m);
    if (!h) return say_not_held (m);
    if (--h->count) return 0;
    remove_held (h);
  }
  __porf_mutex_unlock (m);
  return 0;
}

/* Who gets the lock in time could have tried when it was free, who does not could have tried when
 * it was taken. */
int pthread_mutex_timedlock (pthread_mutex_t *restrict m, const struct timespec *restrict until) {
  (void)until;
  if (is_remembered (m) && find_held (m)) return lock_again (m, EDEADLK);
  return pthread_mutex_trylock (m) ? ETIMEDOUT : 0;
}
int pthread_mutex_clocklock (pthread_mutex_t *restrict m, clockid_t clock,
                             const struct timespec *restrict until) {
  (void)clock;
  return pthread_mutex_timedlock (m, until);
}

/* An attribute object is its type. */
int pthread_mutexattr_init (pthread_mutexattr_t *a) {
  return init_attributes (a, PTHREAD_MUTEX_DEFAULT);
}
int pthread_mutexattr_destroy (pthread_mutexattr_t *a) { return destroy_attributes (a); }
int pthread_mutexattr_settype (pthread_mutexattr_t *a, int type) {
  if (type < PTHREAD_MUTEX_NORMAL || type > PTHREAD_MUTEX_ADAPTIVE_NP) return EINVAL;
  return set_attributes (a, type);
}
int pthread_mutexattr_gettype (const pthread_mutexattr_t *restrict a, int *restrict type) {
  *type = use_attributes (a);
  return 0;
}
int pthread_mutexattr_setrobust (pthread_mutexattr_t *a, int robust) {
  if (robust != PTHREAD_MUTEX_STALLED) porf_robust_mutexes ();
  return ignore_attribute (a);
}
IGNORED (mutexattr_setpshared, mutexattr_t)
IGNORED (mutexattr_setprotocol, mutexattr_t)
IGNORED (mutexattr_setprioceiling, mutexattr_t)

/* ---- spinlocks: one word alone, so that the mark stands in the shadow. Where the word has lost
 * its value, the memory has been given out again since. ---- */

static int *use_spinlock (pthread_spinlock_t *l) {
  check_life ((void *)l, __porf_shadow ((void *)l));
  return (int *)l;
}

int pthread_spin_init (pthread_spinlock_t *l, int shared) {
  (void)shared;
  int *word = (int *)l, *mark = __porf_shadow (word);
  if (is_marked (word, mark) && !__porf_is_defined (*word)) *mark = 0;
  begin_life (word, mark);
  *word = 0;
  return 0;
}
int pthread_spin_lock (pthread_spinlock_t *l) {
  __porf_mutex_lock (use_spinlock (l));
  return 0;
}
int pthread_spin_trylock (pthread_spinlock_t *l) {
  return __porf_mutex_trylock (use_spinlock (l)) ? 0 : EBUSY;
}
int pthread_spin_unlock (pthread_spinlock_t *l) {
  __porf_mutex_unlock ((void *)l);
  return 0;
}
int pthread_spin_destroy (pthread_spinlock_t *l) {
  destroy_word ((void *)l);
  check_life ((void *)l, __porf_shadow ((void *)l));
  end_life ((void *)l, __porf_shadow ((void *)l));
  return 0;
}

/* ---- once: 0 not called, 1 being called, 2 done ---- */

int pthread_once (pthread_once_t *control, void (*init) (void)) {
  _Atomic int *state = (_Atomic int *)control;
  for (;;) {
    int old = 0;
    if (atomic_compare_exchange_strong_explicit (state, &old, 1, memory_order_acquire,
                                                 memory_order_acquire)) {
      init ();
      atomic_store_explicit (state, 2, memory_order_release);
      return 0;
    }
    if (old == 2) return 0;
  }
}

/* ---- thread-specific data ---- */

enum { KEYS = 64 };
static _Thread_local void *specific[KEYS];
static void (*_Atomic destructors[KEYS]) (void *);
static _Atomic unsigned keys;
static int marks_of_keys[KEYS];

static void use_key (pthread_key_t key) {
  if (key < KEYS && __porf_life (&marks_of_keys[key], LOOK)) return;
  int mark = key < KEYS ? marks_of_keys[key] : 0;
  if (!mark) __porf_misuse (NULL, "a key can be used before it was created");
  if (mark == DESTROYED) __porf_misuse (NULL, "a key can be used after it was deleted");
}

int pthread_key_create (pthread_key_t *key, void (*destructor) (void *)) {
  *key = atomic_fetch_add_explicit (&keys, 1, memory_order_relaxed);
  if (*key >= KEYS) porf_more_than_64_thread_specific_keys ();
  begin_life (&marks_of_keys[*key], &marks_of_keys[*key]);
  if (destructor) atomic_store_explicit (&destructors[*key], destructor, memory_order_relaxed);
  return 0;
}
int pthread_key_delete (pthread_key_t key) {
  use_key (key);
  __porf_life (&marks_of_keys[key], END);
  marks_of_keys[key] = DESTROYED;
  if (atomic_load_explicit (&destructors[key], memory_order_relaxed))
    atomic_store_explicit (&destructors[key], NULL, memory_order_relaxed);
  return 0;
}
void *pthread_getspecific (pthread_key_t key) {
  use_key (key);
  return specific[key];
}

static bool call_destructor (pthread_key_t key) {
  void *value = specific[key];
  if (!value) return false;
  void (*destructor) (void *) = atomic_load_explicit (&destructors[key], memory_order_relaxed);
  if (!destructor) return false;
  specific[key] = NULL;
  destructor (value);
  return true;
}

static void *call_destructors (void *result) {
  bool is_done = false;
  for (int round = 0; round < PTHREAD_DESTRUCTOR_ITERATIONS && !is_done; round++) {
    is_done = true;
    for (pthread_key_t key = 0; key < KEYS; key++)
      if (call_destructor (key)) is_done = false;
  }
  __porf_at_end (NULL); /* what the last pass has set stays */
  return result;
}

int pthread_setspecific (pthread_key_t key, const void *value) {
  use_key (key);
  specific[key] = (void *)value;
  if (value) __porf_at_end (call_destructors);
  return 0;
}
