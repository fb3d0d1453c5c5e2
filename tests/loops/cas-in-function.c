// The maximum of what threads bring, by a function that updates with a function.
//
// flags: --engine=auto
// verdict[-DN={2,3}]: sc,tso,rc11,rc20,ra,imm pass
// finding[-DN={2,3} -DBUG=1]: sc,tso,rc11,rc20,ra,imm assert
#include "loops.h"

static atomic_int x, names;

static int larger (int old, int mine) { return old > mine ? old : mine; }
static int last (int old, int mine) { return mine; }

static int update (atomic_int *a, int (*f) (int, int), int arg) {
  int old, new;
  do {
    old = atomic_load_explicit (a, RELAXED);
    new = f (old, arg);
  } while (!atomic_compare_exchange_weak_explicit (a, &old, new, ACQ_REL, ACQUIRE));
  return new;
}

static void *body (void *unused) {
  int mine = atomic_fetch_add_explicit (&names, 1, RELAXED) + 1;
  update (&x, BUG ? last : larger, mine);
  return 0;
}

int main (void) {
  run (N, body);
  assert (x == N);
  return 0;
}
