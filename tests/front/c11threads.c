// C11 <threads.h>.
// run: pass
#include <assert.h>
#include <threads.h>

static mtx_t m;
static cnd_t c;
static once_flag once = ONCE_FLAG_INIT;
static int made, ready;
static thread_local int own;

static void make (void) { made++; }
static int work (void *argument) {
  call_once (&once, make);
  own++;
  mtx_lock (&m);
  ready = 1;
  cnd_broadcast (&c);
  mtx_unlock (&m);
  thrd_yield ();
  return *(int *)argument - own;
}

int main (void) {
  thrd_t t;
  int n = -4, r;
  assert (mtx_init (&m, mtx_plain) == thrd_success && cnd_init (&c) == thrd_success);
  assert (thrd_create (&t, work, &n) == thrd_success);
  call_once (&once, make);
  mtx_lock (&m);
  while (!ready) cnd_wait (&c, &m);
  mtx_unlock (&m);
  assert (thrd_join (t, &r) == thrd_success && r == -5);
  assert (made == 1 && own == 0);
  return 0;
}
