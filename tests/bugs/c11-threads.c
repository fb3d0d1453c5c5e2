// The threads of C11: threads.h with create, join with a result, mutex and call_once.
// verdict: rc11 pass
// verdict: sc pass
#include <assert.h>
#include <threads.h>

static mtx_t lock;
static once_flag once = ONCE_FLAG_INIT;
static int counter, calls;

static void initialise (void) { calls++; }

static int increment (void *arg) {
  call_once (&once, initialise);
  mtx_lock (&lock);
  counter++;
  mtx_unlock (&lock);
  return *(int *)arg;
}

int main (void) {
  thrd_t a, b;
  int one = 1, two = 2, r, s;
  mtx_init (&lock, mtx_plain);
  assert (thrd_create (&a, increment, &one) == thrd_success);
  assert (thrd_create (&b, increment, &two) == thrd_success);
  thrd_join (a, &r);
  thrd_join (b, &s);
  assert (counter == 2 && calls == 1 && r == 1 && s == 2);
  mtx_destroy (&lock);
  return 0;
}
