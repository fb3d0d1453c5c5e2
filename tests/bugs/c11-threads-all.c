// All of threads.h: recursive and timed mutexes, condition variables, specific data, exit, detach, yield, sleep.
// verdict: rc11 pass
// verdict: sc pass
// verdict: tso pass
// verdict: ra pass
// finding[-DNOT_RECURSIVE]: rc11 lock-misuse A
// finding[-DNOT_RECURSIVE]: sc lock-misuse A
// finding[-DNOT_OWNER]: rc11 lock-misuse B
// finding[-DDESTROY]: rc11 lock-misuse
// verdict[--reduce=none]: rc11 pass
#include <assert.h>
#include <stdlib.h>
#include <threads.h>
#include <time.h>

static mtx_t lock, timed;
static cnd_t changed;
static once_flag once = ONCE_FLAG_INIT;
static tss_t key;
static int ready, freed;

static void destroy (void *p) {
  freed++;
  free (p);
}
static void make_key (void) { tss_create (&key, destroy); }

static int worker (void *unused) {
  call_once (&once, make_key);
  tss_set (key, malloc (1));
  assert (tss_get (key));
  mtx_lock (&lock);
  mtx_lock (&lock); // @A
  ready = 1;
  cnd_broadcast (&changed);
  mtx_unlock (&lock);
  mtx_unlock (&lock);
#ifdef NOT_OWNER
  mtx_unlock (&lock); // @B
#endif
  thrd_exit (7);
}

static int nothing (void *unused) {
  thrd_yield ();
  thrd_sleep (&(struct timespec){.tv_nsec = 1}, NULL);
  return 0;
}

int main (void) {
  thrd_t t, u;
  int result;
#ifdef NOT_RECURSIVE
  mtx_init (&lock, mtx_plain);
#else
  mtx_init (&lock, mtx_plain | mtx_recursive);
#endif
  mtx_init (&timed, mtx_timed);
  cnd_init (&changed);
  thrd_create (&t, worker, NULL);
  thrd_create (&u, nothing, NULL);
  thrd_detach (u);
  assert (!thrd_equal (t, thrd_current ()));
  mtx_lock (&lock);
  struct timespec until = {1, 0};
#ifdef DESTROY
  mtx_destroy (&lock);
#endif
  while (!ready) {
    int r = cnd_timedwait (&changed, &lock, &until);
    assert (r == thrd_success || r == thrd_timedout);
  }
  mtx_unlock (&lock);
  assert (mtx_timedlock (&timed, &until) == thrd_success);
  assert (mtx_trylock (&timed) == thrd_busy);
  mtx_unlock (&timed);
  thrd_join (t, &result);
  assert (result == 7 && freed == 1);
  cnd_destroy (&changed);
  mtx_destroy (&lock);
  mtx_destroy (&timed);
  return 0;
}
