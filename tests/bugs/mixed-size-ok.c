// Atomic accesses of different sizes to the same memory that never happen at the same time: halves of a counter are read
// when its threads have ended; halves that threads write are read as one behind the joins; memory is cleared byte by
// byte first; one thread hands the whole over to another that uses the halves.
// expect: rc11 2
// expect: tso 2
// expect[-DKIND=1]: rc11 1
// expect[-DKIND=1]: sc 1
// expect[-DKIND=2]: rc11 2
// verdict[-DKIND=3]: rc11 pass
// verdict[-DKIND=3]: tso pass
// verdict[-DKIND=3 --reduce=none]: rc11 pass
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

#ifndef KIND
#define KIND 0
#endif

static union {
  _Atomic uint64_t whole;
  struct {
    _Atomic uint32_t low, high;
  };
  unsigned char bytes[8];
} u;
static atomic_int ready;

static void *first (void *unused) {
  if (KIND == 0 || KIND == 2) atomic_fetch_add (&u.whole, 1);
  if (KIND == 1) u.low = 7;
  if (KIND == 3) {
    u.whole = 0x100000002;
    atomic_store_explicit (&ready, 1, memory_order_release);
  }
  return unused;
}

static void *second (void *unused) {
  if (KIND == 0 || KIND == 2) atomic_fetch_add (&u.whole, 0x100000000);
  if (KIND == 1) u.high = 8;
  if (KIND == 3) {
    while (!atomic_load_explicit (&ready, memory_order_acquire)) {}
    assert (atomic_fetch_add (&u.high, 3) == 1);
    u.low = 5;
    uint32_t expected = 4;
    assert (!atomic_compare_exchange_strong (&u.high, &expected, 9) || u.bytes[4] == 9);
    assert (u.whole == 0x900000005);
  }
  return unused;
}

int main (void) {
  pthread_t a, b;
  if (KIND == 1) u.whole = 0;
  for (int i = 0; KIND == 2 && i < 8; i++) u.bytes[i] = 0;
  pthread_create (&a, NULL, first, NULL);
  pthread_create (&b, NULL, second, NULL);
  pthread_join (a, NULL);
  pthread_join (b, NULL);
  if (KIND == 0 || KIND == 2) assert (u.low == 1 && u.high == 1 && u.bytes[4] == 1);
  if (KIND == 1) assert (u.whole == 0x800000007 && u.bytes[0] == 7);
  if (KIND == 3) assert (u.low == 5 && u.bytes[4] == 9);
  return 0;
}
