// The wait is in functions with locals of their own, whose address is passed on.
//
// flags: --engine=auto
// verdict[-DN={2,3}]: sc,tso,rc11,rc20,ra,imm pass
// finding[-DN={2,3} -DBUG=1]: sc,tso,rc11,rc20,ra,imm liveness
#include "loops.h"

struct box {
  int tries, value;
};

static atomic_int turn;
static int data;

static bool look (struct box *box) {
  struct box mine = {box->tries, 0};
  mine.value = atomic_load_explicit (&turn, ACQUIRE);
  *box = mine;
  return mine.value > 0;
}

static int wait_until_set (void) {
  struct box box = {0, 0};
  while (!look (&box)) box.tries = 0;
  return box.value;
}

static void *waiter (void *unused) {
  int found = wait_until_set ();
  assert (data == found);
  return 0;
}

static void *setter (void *unused) {
  data = 7;
  atomic_store_explicit (&turn, BUG ? -7 : 7, RELEASE);
  return 0;
}

int main (void) {
  run_beside (N - 1, waiter, setter);
  return 0;
}
