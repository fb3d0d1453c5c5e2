/* cxx.c - what clang++ expects of the C++ run-time library: memory, static objects and std::thread
 * (libstdc++). Exceptions do not exist: whatever throws is refused by name. */
#include "runtime.h"
#include <pthread.h>
#include <string.h>

void *cxx_new (size_t size) NAMED ("_Znwm");
void *cxx_new_array (size_t size) NAMED ("_Znam");
void cxx_delete (void *p) NAMED ("_ZdlPv");
void cxx_delete_sized (void *p, size_t size) NAMED ("_ZdlPvm");
void cxx_delete_array (void *p) NAMED ("_ZdaPv");
void cxx_delete_array_sized (void *p, size_t size) NAMED ("_ZdaPvm");
void *cxx_new (size_t size) { return __porf_malloc (size); }
void *cxx_new_array (size_t size) { return __porf_malloc (size); }
void cxx_delete (void *p) { __porf_free (p); }
void cxx_delete_sized (void *p, size_t size) {
  (void)size;
  __porf_free (p);
}
void cxx_delete_array (void *p) { __porf_free (p); }
void cxx_delete_array_sized (void *p, size_t size) {
  (void)size;
  __porf_free (p);
}

_Noreturn void cxx_terminate (void) NAMED ("_ZSt9terminatev");
_Noreturn void cxx_terminate (void) { __porf_abort (); }
_Noreturn void __cxa_pure_virtual (void);
_Noreturn void __cxa_pure_virtual (void) { __porf_abort (); }

/* Static objects in functions: 0 not made, 1 being made, 2 made. The compiler tests the first byte
 * itself. */
int __cxa_guard_acquire (_Atomic unsigned char *guard);
int __cxa_guard_acquire (_Atomic unsigned char *guard) {
  unsigned char expected = 0;
  _Atomic unsigned char *busy = guard + 1;
  if (atomic_compare_exchange_strong_explicit (busy, &expected, 1, memory_order_acquire,
                                               memory_order_relaxed))
    return 1;
  while (!atomic_load_explicit (guard, memory_order_acquire)) continue;
  return 0;
}
void __cxa_guard_release (_Atomic unsigned char *guard);
void __cxa_guard_release (_Atomic unsigned char *guard) {
  atomic_store_explicit (guard, 1, memory_order_release);
}

/* std::thread holds the handle; its state object has virtual functions: two destructors, then the
 * one to run. */
typedef struct ThreadState {
  void (**functions) (struct ThreadState *);
} ThreadState;

static void *run_thread_state (void *argument) {
  ThreadState *s = argument;
  s->functions[2](s);
  s->functions[1](s);
  return NULL;
}

void cxx_thread_start (unsigned long *self, ThreadState **state, void (*unused) (void))
    NAMED ("_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE");
void cxx_thread_start (unsigned long *self, ThreadState **state, void (*unused) (void)) {
  (void)unused;
  *self = __porf_thread_create (run_thread_state, *state);
  *state = NULL;
}
void cxx_thread_join (unsigned long *self) NAMED ("_ZNSt6thread4joinEv");
void cxx_thread_join (unsigned long *self) {
  join (*self);
  *self = 0;
}
void cxx_thread_detach (unsigned long *self) NAMED ("_ZNSt6thread6detachEv");
void cxx_thread_detach (unsigned long *self) {
  detach (*self);
  *self = 0;
}
void cxx_thread_state_done (ThreadState *s) NAMED ("_ZNSt6thread6_StateD2Ev");
void cxx_thread_state_done (ThreadState *s) { (void)s; }

/* std::condition_variable is a pthread_cond_t; a lock begins with a pointer to its mutex. */
void cxx_condition_new (pthread_cond_t *c) NAMED ("_ZNSt18condition_variableC1Ev");
void cxx_condition_new (pthread_cond_t *c) { pthread_cond_init (c, NULL); }
void cxx_condition_done (pthread_cond_t *c) NAMED ("_ZNSt18condition_variableD1Ev");
void cxx_condition_done (pthread_cond_t *c) { pthread_cond_destroy (c); }
void cxx_condition_wait (pthread_cond_t *c, pthread_mutex_t **lock)
    NAMED ("_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE");
void cxx_condition_wait (pthread_cond_t *c, pthread_mutex_t **lock) {
  pthread_cond_wait (c, *lock);
}
void cxx_condition_notify_one (pthread_cond_t *c) NAMED ("_ZNSt18condition_variable10notify_oneEv");
void cxx_condition_notify_one (pthread_cond_t *c) { pthread_cond_signal (c); }
void cxx_condition_notify_all (pthread_cond_t *c) NAMED ("_ZNSt18condition_variable10notify_allEv");
void cxx_condition_notify_all (pthread_cond_t *c) { pthread_cond_broadcast (c); }

/* What <iostream> puts into every program that includes it. */
void cxx_streams_new (void *s) NAMED ("_ZNSt8ios_base4InitC1Ev");
void cxx_streams_new (void *s) { (void)s; }
void cxx_streams_done (void *s) NAMED ("_ZNSt8ios_base4InitD1Ev");
void cxx_streams_done (void *s) { (void)s; }
