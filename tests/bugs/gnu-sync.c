// The __sync builtins.
// expect: rc11 2/0, sc 2/0
#include <assert.h>
#include <pthread.h>

static int x;

static void *thread (void *unused) {
  __sync_fetch_and_add (&x, 5);
  return NULL;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, thread, NULL);
  __sync_add_and_fetch (&x, 2);
  pthread_join (t, NULL);
  assert (__sync_val_compare_and_swap (&x, 7, 8) == 7);
  assert (__sync_bool_compare_and_swap (&x, 8, 9));
  assert (!__sync_bool_compare_and_swap (&x, 8, 10));
  assert (__sync_fetch_and_sub (&x, 1) == 9);
  assert (__sync_or_and_fetch (&x, 1) == 9);
  __sync_synchronize ();
  assert (__sync_lock_test_and_set (&x, 1) == 9);
  __sync_lock_release (&x);
  assert (x == 0);
  return 0;
}
