/* threads.c - C11 <threads.h> on top of the POSIX functions. */
#include "runtime.h"
#include <pthread.h>
#include <threads.h>

int thrd_create (thrd_t *to, thrd_start_t function, void *argument) {
  *to = __porf_thread_create ((void *(*)(void *))function, argument);
  return thrd_success;
}
int thrd_join (thrd_t t, int *result) {
  long value = (long)__porf_thread_join (t);
  if (result) *result = (int)value;
  return thrd_success;
}
_Noreturn void thrd_exit (int result) { __porf_thread_exit ((void *)(long)result); }
int thrd_detach (thrd_t t) {
  (void)t;
  return thrd_success;
}
int thrd_equal (thrd_t a, thrd_t b) { return a == b; }

void porf_recursive_mutex (void); /* called, and never defined: see runtime.h */
int mtx_init (mtx_t *m, int type) {
  if (type & mtx_recursive) porf_recursive_mutex ();
  *(int *)m = 0;
  return thrd_success;
}
int mtx_trylock (mtx_t *m) { return __porf_mutex_trylock (m) ? thrd_success : thrd_busy; }
int mtx_timedlock (mtx_t *restrict m, const struct timespec *restrict until) {
  (void)until;
  if (any_bool ()) return thrd_timedout;
  __porf_mutex_lock (m);
  return thrd_success;
}

int cnd_init (cnd_t *c) { return pthread_cond_init ((pthread_cond_t *)c, NULL); }
void cnd_destroy (cnd_t *c) { (void)c; }
int cnd_wait (cnd_t *c, mtx_t *m) {
  return pthread_cond_wait ((pthread_cond_t *)c, (pthread_mutex_t *)m);
}
int cnd_timedwait (cnd_t *restrict c, mtx_t *restrict m, const struct timespec *restrict until) {
  return pthread_cond_timedwait ((pthread_cond_t *)c, (pthread_mutex_t *)m, until) ? thrd_timedout
                                                                                   : thrd_success;
}
int cnd_signal (cnd_t *c) { return pthread_cond_signal ((pthread_cond_t *)c); }
int cnd_broadcast (cnd_t *c) { return pthread_cond_broadcast ((pthread_cond_t *)c); }

void call_once (once_flag *flag, void (*init) (void)) {
  pthread_once ((pthread_once_t *)flag, init);
}

int tss_create (tss_t *key, tss_dtor_t destructor) {
  return pthread_key_create ((pthread_key_t *)key, destructor);
}
void tss_delete (tss_t key) { (void)key; }
void *tss_get (tss_t key) { return pthread_getspecific (key); }
int tss_set (tss_t key, void *value) { return pthread_setspecific (key, value); }
