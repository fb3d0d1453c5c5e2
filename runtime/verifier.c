/* verifier.c - the functions of include/porf/verifier.h and compat/genmc.h, but for those of
 * src/front/nondet.c. */
#include <pthread.h>
#include "runtime.h"

/* Programs declare these in many ways: a condition is any number. */
static void check (long condition, const char *text) {
  if (!condition) __porf_assert_fail (text);
}
void __VERIFIER_assert (long condition) {
  check (condition, "`__VERIFIER_assert` can be called with a false condition");
}
void __CPROVER_assert (long condition, const char *description) { check (condition, description); }
void __ESBMC_assert (long condition, const char *description) { check (condition, description); }
void assert_called (long condition) NAMED ("assert"); /* where <assert.h> is not included */
void assert_called (long condition) {
  check (condition, "`assert` can be called with a false condition");
}
_Noreturn void __VERIFIER_error (void) { __porf_assert_fail ("`__VERIFIER_error` can be reached"); }
_Noreturn void reach_error (void);
_Noreturn void reach_error (void) { __porf_assert_fail ("`reach_error` can be reached"); }

/* Atomic sections exclude each other, and may be nested. Code outside of them that touches the same
 * data races with them. */
static int atomic_section;
static _Thread_local unsigned sections;
void __VERIFIER_atomic_begin (void) {
  if (!sections++) __porf_mutex_lock (&atomic_section);
}
void __VERIFIER_atomic_end (void) {
  if (!sections) __porf_misuse (0, "an atomic section can be ended that was not begun");
  if (!--sections) __porf_mutex_unlock (&atomic_section);
}
void __CPROVER_atomic_begin (void) { __VERIFIER_atomic_begin (); }
void __CPROVER_atomic_end (void) { __VERIFIER_atomic_end (); }
void __ESBMC_atomic_begin (void) { __VERIFIER_atomic_begin (); }
void __ESBMC_atomic_end (void) { __VERIFIER_atomic_end (); }

void __VERIFIER_nondet_memory (void *memory, size_t size) {
  for (size_t i = 0; i < size; i++)
    ((unsigned char *)memory)[i] = (unsigned char)__porf_nondet (1, 0);
}

unsigned __VERIFIER_tid (void) { return (unsigned)__porf_thread_self () - 1; }

long __VERIFIER_spawn (void *(*function) (void *), void *argument) {
  pthread_t thread;
  pthread_create (&thread, NULL, function, argument);
  return (long)thread;
}
long __VERIFIER_spawn_symmetric (void *(*function) (void *), void *argument, long other) {
  (void)other; /* symmetric threads are found */
  return __VERIFIER_spawn (function, argument);
}
void *__VERIFIER_join (long thread) {
  void *result;
  pthread_join ((pthread_t)thread, &result);
  return result;
}
void __VERIFIER_join_symmetric (long thread) { __VERIFIER_join (thread); }

bool __atomic_is_lock_free_c (size_t size, const void *at) __asm__ ("__atomic_is_lock_free");
bool __atomic_is_lock_free_c (size_t size, const void *at) {
  (void)at;
  return size <= 8;
}
