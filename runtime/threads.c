/* threads.c - C11 <threads.h> on top of the POSIX functions. */
#include "runtime.h"
#include <pthread.h>
#include <threads.h>

int thrd_create (thrd_t *to, thrd_start_t function, void *argument) {
  *to = __porf_thread_create ((void *(*)(void *))function, argument);
  return thrd_success;
}
int thrd_join (thrd_t t, int *result) {
  long value = (long)join (t);
  if (result) *result = (int)value;
  return thrd_success;
}
_Noreturn void thrd_exit (int result) { pthread_exit ((void *)(long)result); }
int thrd_detach (thrd_t t) {
  detach (t);
  return thrd_success;
}
int thrd_equal (thrd_t a, thrd_t b) { return a == b; }

/* Unlike those of POSIX, these have no static initialisers. */
static pthread_mutex_t *mutex_of (mtx_t *m) {
  pthread_mutex_t *mutex = (pthread_mutex_t *)m;
  check_life (mutex, mark_of_mutex (mutex));
  return mutex;
}
static pthread_cond_t *condition_of (cnd_t *c) {
  check_life (c, &((Condition *)c)->mark);
  return (pthread_cond_t *)c;
}

int mtx_init (mtx_t *m, int type) {
  init_mutex ((pthread_mutex_t *)m,
              type & mtx_recursive ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_NORMAL);
  return thrd_success;
}
void mtx_destroy (mtx_t *m) {
  pthread_mutex_t *mutex = (pthread_mutex_t *)m;
  destroy_word (mutex);
  check_life (mutex, mark_of_mutex (mutex));
  end_life (mutex, mark_of_mutex (mutex));
}
int mtx_lock (mtx_t *m) {
  pthread_mutex_lock (mutex_of (m));
  return thrd_success;
}
int mtx_trylock (mtx_t *m) {
  return pthread_mutex_trylock (mutex_of (m)) ? thrd_busy : thrd_success;
}
int mtx_timedlock (mtx_t *restrict m, const struct timespec *restrict until) {
  return pthread_mutex_timedlock (mutex_of (m), until) ? thrd_timedout : thrd_success;
}
int mtx_unlock (mtx_t *m) {
  if (pthread_mutex_unlock (mutex_of (m)))
    __porf_misuse (m, "` can be unlocked by a thread that does not hold it");
  return thrd_success;
}

int cnd_init (cnd_t *c) { return pthread_cond_init ((pthread_cond_t *)c, NULL); }
void cnd_destroy (cnd_t *c) { pthread_cond_destroy (condition_of (c)); }
int cnd_wait (cnd_t *c, mtx_t *m) {
  if (pthread_cond_wait (condition_of (c), mutex_of (m)))
    __porf_misuse (m, "` can be unlocked by a thread that does not hold it");
  return thrd_success;
}
int cnd_timedwait (cnd_t *restrict c, mtx_t *restrict m, const struct timespec *restrict until) {
  return pthread_cond_timedwait (condition_of (c), mutex_of (m), until) ? thrd_timedout
                                                                        : thrd_success;
}
int cnd_signal (cnd_t *c) { return pthread_cond_signal (condition_of (c)); }
int cnd_broadcast (cnd_t *c) { return pthread_cond_broadcast (condition_of (c)); }

void call_once (once_flag *flag, void (*init) (void)) {
  pthread_once ((pthread_once_t *)flag, init);
}

int tss_create (tss_t *key, tss_dtor_t destructor) {
  return pthread_key_create ((pthread_key_t *)key, destructor);
}
void tss_delete (tss_t key) { pthread_key_delete (key); }
void *tss_get (tss_t key) { return pthread_getspecific (key); }
int tss_set (tss_t key, void *value) { return pthread_setspecific (key, value); }
