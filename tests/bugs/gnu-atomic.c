// The __atomic builtins.
// expect: rc11 2/0, sc 2/0
#include <assert.h>
#include <pthread.h>

static int x;
static long long wide;

static void *thread (void *unused) {
  __atomic_fetch_add (&x, 5, __ATOMIC_RELAXED);
  return NULL;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, thread, NULL);
  __atomic_fetch_add (&x, 2, __ATOMIC_ACQ_REL);
  pthread_join (t, NULL);

  int v;
  __atomic_load (&x, &v, __ATOMIC_ACQUIRE);
  assert (v == 7);
  assert (__atomic_sub_fetch (&x, 3, __ATOMIC_SEQ_CST) == 4);
  assert (__atomic_fetch_or (&x, 3, __ATOMIC_RELAXED) == 4);
  assert (__atomic_and_fetch (&x, 5, __ATOMIC_RELAXED) == 5);
  assert (__atomic_fetch_xor (&x, 1, __ATOMIC_RELAXED) == 5);
  assert (__atomic_nand_fetch (&x, 4, __ATOMIC_RELAXED) == ~4);
  assert (__atomic_exchange_n (&x, 9, __ATOMIC_RELAXED) == ~4);
  int expected = 8;
  assert (!__atomic_compare_exchange_n (&x, &expected, 1, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  assert (expected == 9);
  assert (__atomic_compare_exchange_n (&x, &expected, 1, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  __atomic_thread_fence (__ATOMIC_SEQ_CST);
  __atomic_signal_fence (__ATOMIC_SEQ_CST);
  __atomic_store_n (&wide, 1LL << 40, __ATOMIC_RELEASE);
  assert (__atomic_load_n (&wide, __ATOMIC_RELAXED) >> 40 == 1 && x == 1);
  return 0;
}
