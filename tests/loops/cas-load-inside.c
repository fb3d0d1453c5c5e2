// A stack: loads the top and tries to put a node of its own over it, until that works.
//
// flags: --engine=auto
// verdict[-DN={2,3}]: sc,tso,rc11,rc20,ra,imm pass
// verdict[-DN=4]: sc,rc11 pass
// finding[-DN={2,3} -DBUG=1]: sc,tso,rc11,rc20,ra,imm assert
// slow[-DN=4]: sc,rc11
#include "loops.h"

struct node {
  struct node *next;
};

static struct node nodes[N];
static _Atomic (struct node *) top;
static atomic_int given;

static void *body (void *unused) {
  struct node *mine = &nodes[atomic_fetch_add_explicit (&given, 1, RELAXED)], *old;
  do {
    old = atomic_load_explicit (&top, ACQUIRE);
    mine->next = old;
    if (BUG) {
      atomic_store_explicit (&top, mine, RELEASE);
      break;
    }
  } while (!atomic_compare_exchange_strong_explicit (&top, &old, mine, ACQ_REL, RELAXED));
  return 0;
}

int main (void) {
  run (N, body);
  int length = 0;
  for (struct node *n = top; n; n = n->next) length++;
  assert (length == N);
  return 0;
}
