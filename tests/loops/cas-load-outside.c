// v = load; while (!CAS (&x, &v, f (v))), with every order of the load and of the failing compare-exchange.
//
// flags: --engine=auto
// verdict[-DN={2,3} -DLOAD={RELAXED,ACQUIRE} -DFAIL={RELAXED,ACQUIRE}]: sc,tso,rc11,rc20,ra,imm pass
// verdict[-DN=5 -DLOAD={RELAXED,ACQUIRE} -DFAIL={RELAXED,ACQUIRE}]: sc,rc11 pass
// finding[-DN={2,3} -DBUG=1]: sc,tso,rc11,rc20,ra,imm assert
#include "loops.h"
#ifndef LOAD
#define LOAD ACQUIRE
#endif
#ifndef FAIL
#define FAIL RELAXED
#endif

static atomic_int x;

static void *body (void *unused) {
  int v = atomic_load_explicit (&x, LOAD);
  while (!atomic_compare_exchange_weak_explicit (&x, &v, BUG ? 2 * v + 1 : v + 1, ACQ_REL, FAIL)) {}
  return 0;
}

int main (void) {
  run (N, body);
  assert (x == N);
  return 0;
}
