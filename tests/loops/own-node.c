// Threads that write to a node of their own before they meet.
//
// flags: --engine=auto
// verdict[-DN={2,3}]: sc,tso,rc11,rc20,ra,imm pass
// verdict[-DN={2,3} -DBUG=1]: sc,rc11,rc20,ra violation
// verdict[-DN={2,3} -DBUG=1]: tso pass
// verdict[-DN={2,3} -DBUG=1]: imm violation
#include "loops.h"
#include <stdlib.h>

struct node {
  int value;
  struct node *next;
};
static _Atomic (struct node *) top;

static void *body (void *unused) {
  struct node *mine = malloc (sizeof *mine);
  mine->value = 1;
  mine->next = atomic_load_explicit (&top, RELAXED);
  while (!atomic_compare_exchange_weak_explicit (&top, &mine->next, mine, BUG ? RELAXED : RELEASE, RELAXED)) {}
  return 0;
}

static void *watcher (void *unused) {
  struct node *n = atomic_load_explicit (&top, ACQUIRE);
  assert (!n || n->value == 1);
  return 0;
}

int main (void) {
  run_beside (N, body, watcher);
  return 0;
}
