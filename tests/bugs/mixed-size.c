// Atomic accesses of different sizes to the same memory at the same time are refused by name, a non-atomic one that
// overlaps with an atomic one of another size is a race. What is wrong elsewhere is still found.
// unsupported: rc11 atomic accesses of different sizes to the same memory at the same time
// unsupported: tso atomic accesses of different sizes to the same memory at the same time
// unsupported[-DKIND=1]: rc11 atomic accesses of different sizes to the same memory at the same time
// finding[-DKIND=2]: rc11 race A|B
// finding[-DKIND=3]: rc11 race A|B
// unsupported[-DKIND=4]: rc11 atomic accesses of different sizes to the same memory at the same time
// finding[-DKIND=5]: rc11 assert C
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef KIND
#define KIND 0
#endif

static union {
  _Atomic uint64_t whole;
  struct {
    _Atomic uint32_t low, high;
  };
  uint32_t plain[2];
  _Atomic uint8_t bytes[8];
} u;
static atomic_int other;

static void *first (void *unused) {
  if (KIND == 0) u.whole = 1;
  if (KIND == 1) atomic_fetch_add (&u.whole, 1);
  if (KIND == 2) u.plain[0] = 1; // @A
  if (KIND == 3) return u.bytes[1] ? &u : NULL; // @A
  if (KIND == 4) u.low = 1, u.whole = 2;
  if (KIND == 5) other = 1, u.whole = 1;
  return unused;
}

static void *second (void *unused) {
  if (KIND == 0) u.low = 2;
  if (KIND == 1) return u.high == 3 ? &u : NULL;
  if (KIND == 2) u.bytes[1] = 1; // @B
  if (KIND == 3) u.plain[0] = 1; // @B
  if (KIND == 4) u.high = 2;
  if (KIND == 5) {
    assert (!other); // @C
    u.low = 1;
  }
  return unused;
}

int main (void) {
  pthread_t a, b;
  pthread_create (&a, NULL, first, NULL);
  pthread_create (&b, NULL, second, NULL);
  pthread_join (a, NULL);
  pthread_join (b, NULL);
  return 0;
}
