/* pthread.c - POSIX threads, mutexes and thread-specific data. */
#include "runtime.h"
#include <pthread.h>

/* Called, and never defined: see runtime.h. */
void porf_destructor_of_thread_specific_data (void);
void porf_more_than_64_thread_specific_keys (void);

int pthread_create (pthread_t *restrict to, const pthread_attr_t *restrict attributes,
                    void *(*function) (void *), void *restrict argument) {
  (void)attributes;
  *to = __porf_thread_create (function, argument);
  return 0;
}

int pthread_join (pthread_t t, void **result) {
  void *value = __porf_thread_join (t);
  if (result) *result = value;
  return 0;
}

_Noreturn void pthread_exit (void *value) { __porf_thread_exit (value); }
pthread_t pthread_self (void) { return __porf_thread_self (); }
int pthread_equal (pthread_t a, pthread_t b) { return a == b; }
int pthread_detach (pthread_t t) {
  (void)t;
  return 0;
}

int pthread_attr_setdetachstate (pthread_attr_t *a, int state) {
  (void)a, (void)state;
  return 0;
}

/* The lock word is the first int of every lock. A recursive mutex also knows its owner (handle +
 * 1), which others may read at any time, and how often that one has locked it once more. */
static bool is_recursive (const pthread_mutex_t *m) {
  return m->__data.__kind == PTHREAD_MUTEX_RECURSIVE;
}
static _Atomic int *owner_of (pthread_mutex_t *m) { return (_Atomic int *)&m->__data.__owner; }

static bool lock_again (pthread_mutex_t *m) {
  int self = (int)__porf_thread_self () + 1;
  if (atomic_load_explicit (owner_of (m), memory_order_relaxed) != self) return false;
  m->__data.__count++;
  return true;
}
static void take_ownership (pthread_mutex_t *m) {
  int self = (int)__porf_thread_self () + 1;
  atomic_store_explicit (owner_of (m), self, memory_order_relaxed);
}

int pthread_mutex_lock (pthread_mutex_t *m) {
  if (is_recursive (m) && lock_again (m)) return 0;
  __porf_mutex_lock (m);
  if (is_recursive (m)) take_ownership (m);
  return 0;
}
int pthread_mutex_unlock (pthread_mutex_t *m) {
  if (is_recursive (m) && m->__data.__count) {
    m->__data.__count--;
    return 0;
  }
  if (is_recursive (m)) atomic_store_explicit (owner_of (m), 0, memory_order_relaxed);
  __porf_mutex_unlock (m);
  return 0;
}
int pthread_mutex_trylock (pthread_mutex_t *m) {
  if (is_recursive (m) && lock_again (m)) return 0;
  if (!__porf_mutex_trylock (m)) return EBUSY;
  if (is_recursive (m)) take_ownership (m);
  return 0;
}

int pthread_mutex_init (pthread_mutex_t *m, const pthread_mutexattr_t *attributes) {
  *(int *)m = 0;
  if (!attributes || *(const int *)attributes != PTHREAD_MUTEX_RECURSIVE) return 0;
  m->__data.__kind = PTHREAD_MUTEX_RECURSIVE;
  m->__data.__count = 0;
  m->__data.__owner = 0;
  return 0;
}

int pthread_mutex_timedlock (pthread_mutex_t *restrict m, const struct timespec *restrict until) {
  (void)until;
  if (any_bool ()) return ETIMEDOUT;
  return pthread_mutex_lock (m);
}

int pthread_mutexattr_init (pthread_mutexattr_t *a) {
  *(int *)a = 0;
  return 0;
}
int pthread_mutexattr_destroy (pthread_mutexattr_t *a) {
  (void)a;
  return 0;
}
int pthread_mutexattr_settype (pthread_mutexattr_t *a, int type) {
  *(int *)a = type;
  return 0;
}

int pthread_spin_init (pthread_spinlock_t *l, int shared) {
  (void)shared;
  *(volatile int *)l = 0;
  return 0;
}
int pthread_spin_trylock (pthread_spinlock_t *l) {
  return __porf_mutex_trylock ((void *)l) ? 0 : EBUSY;
}

int pthread_once (pthread_once_t *control, void (*init) (void)) {
  _Atomic int *state = (_Atomic int *)control;
  int expected = 0;
  if (atomic_load_explicit (state, memory_order_acquire) == 2) return 0;
  if (atomic_compare_exchange_strong_explicit (state, &expected, 1, memory_order_acquire,
                                               memory_order_acquire)) {
    init ();
    atomic_store_explicit (state, 2, memory_order_release);
  } else {
    while (atomic_load_explicit (state, memory_order_acquire) != 2) continue;
  }
  return 0;
}

static _Thread_local void *specific[64];
static _Atomic unsigned keys;

int pthread_key_create (pthread_key_t *key, void (*destructor) (void *)) {
  if (destructor) porf_destructor_of_thread_specific_data ();
  *key = atomic_fetch_add_explicit (&keys, 1, memory_order_relaxed);
  if (*key >= 64) porf_more_than_64_thread_specific_keys ();
  return 0;
}
int pthread_key_delete (pthread_key_t key) {
  (void)key;
  return 0;
}
void *pthread_getspecific (pthread_key_t key) { return specific[key]; }
int pthread_setspecific (pthread_key_t key, const void *value) {
  specific[key] = (void *)value;
  return 0;
}
