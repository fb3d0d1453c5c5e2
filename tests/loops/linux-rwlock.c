// As undone-update.c, with a first attempt before the loop, and a try.
//
// flags: --engine=auto
// verdict[-DN={2,3}]: sc,tso,rc11,rc20,ra,imm pass
// verdict[-DN={2,3} -DBUG=1]: sc,rc11,rc20,ra violation
// verdict[-DN={2,3} -DBUG=1]: tso,imm pass
// slow[-DN=3]: imm
// slow[-DN=3 -DBUG=1]: imm
#include "loops.h"
#define BIAS 0x00100000

static atomic_int word = BIAS;
static int data;

static bool try_take (int n) {
  if (atomic_fetch_sub_explicit (&word, n, ACQUIRE) >= n) return true;
  atomic_fetch_add_explicit (&word, n, RELAXED);
  return false;
}

static void take (int n) {
  int left = atomic_fetch_sub_explicit (&word, n, ACQUIRE);
  while (left < n) {
    atomic_fetch_add_explicit (&word, n, RELAXED);
    while (atomic_load_explicit (&word, RELAXED) < n) {}
    left = atomic_fetch_sub_explicit (&word, n, ACQUIRE);
  }
}

static void give (int n) { atomic_fetch_add_explicit (&word, n, BUG ? RELAXED : RELEASE); }

static void *reader (void *unused) {
  take (1);
  int found = data;
  assert (found == 0 || found == 1);
  give (1);
  return 0;
}

static void *writer (void *unused) {
  take (BIAS);
  data++;
  give (BIAS);
  if (try_take (1)) give (1);
  return 0;
}

int main (void) {
  run_beside (N - 1, reader, writer);
  return 0;
}
