// The queue of Michael and Scott: whoever finds the tail behind moves it on for the other.
//
// flags: --engine=auto
// verdict[-DN={2,3}]: sc,tso,rc11,rc20,ra,imm pass
// finding[-DN={2,3} -DBUG=1]: sc,tso,rc11,rc20,ra,imm liveness
#include "loops.h"

struct node {
  int value;
  _Atomic (struct node *) next;
};

static struct node nodes[N + 1];
static _Atomic (struct node *) head = &nodes[N], tail = &nodes[N];
static atomic_int given;

static void put (struct node *mine) {
  for (;;) {
    struct node *t = atomic_load_explicit (&tail, ACQUIRE);
    struct node *next = atomic_load_explicit (&t->next, ACQUIRE);
    struct node *none = 0;
    if (next) {
      if (!BUG) atomic_compare_exchange_strong_explicit (&tail, &t, next, ACQ_REL, RELAXED);
    } else if (atomic_compare_exchange_strong_explicit (&t->next, &none, mine, ACQ_REL, RELAXED)) {
      if (!BUG) atomic_compare_exchange_strong_explicit (&tail, &t, mine, ACQ_REL, RELAXED);
      return;
    }
  }
}

static void *body (void *unused) {
  int i = atomic_fetch_add_explicit (&given, 1, RELAXED);
  nodes[i].value = i;
  put (&nodes[i]);
  return 0;
}

int main (void) {
  run (N, body);
  int length = 0;
  for (struct node *n = atomic_load (&head); (n = atomic_load (&n->next));) length++;
  assert (length == N);
  return 0;
}
