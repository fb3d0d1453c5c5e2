// A read-write lock in one word, as in Linux: readers take one from it, writers all, and who finds too
// little gives back what he took.
//
// flags: --engine=auto
// verdict[-DN={2,3} -DINNER={0,1}]: sc,tso,rc11,rc20,ra,imm pass
// verdict[-DN={2,3} -DINNER={0,1} -DBUG=1]: sc,rc11,rc20,ra violation
// verdict[-DN={2,3} -DINNER={0,1} -DBUG=1]: tso,imm violation
// slow[-DN={2,3} -DINNER=0]: imm
// slow[-DN=3 -DINNER=1]: imm
#include "loops.h"
#ifndef INNER
#define INNER 1
#endif
#define BIAS 256

static atomic_int word = BIAS;
static int data;

static void take (int n) {
  while (atomic_fetch_sub_explicit (&word, n, ACQUIRE) < n) {
    atomic_fetch_add_explicit (&word, n, RELAXED);
    while (INNER && atomic_load_explicit (&word, RELAXED) < n) {}
  }
}

static void give (int n) { atomic_fetch_add_explicit (&word, n, RELEASE); }

static void *reader (void *unused) {
  take (1);
  int found = data;
  sched_yield ();
  assert (found == data);
  give (1);
  return 0;
}

static void *writer (void *unused) {
  take (BUG ? 1 : BIAS);
  data = 1;
  give (BUG ? 1 : BIAS);
  return 0;
}

int main (void) {
  run_beside (N - 1, reader, writer);
  return 0;
}
