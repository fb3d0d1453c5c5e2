// expect: rc11 40
// verdict: imm pass
// verdict: armv8 pass
// verdict: power pass
// verdict: riscv pass
// verdict[-DN=3]: rc11 pass
// verdict: tso pass
// finding[-DBUG=1]: rc11 use-after-free next
// finding[-DBUG=1]: tso use-after-free next
// verdict[-DBUG=1]: sc pass
// finding[-DBUG=2]: rc11 use-after-free next
// finding[-DBUG=2]: sc use-after-free next
// finding[-DBUG=3]: rc11 use-after-free next
// finding[-DBUG=3]: sc use-after-free next
// fix[-DBUG=1]: rc11 bug1
// fix[-DBUG=1]: tso bug1
// fix[-DBUG=2 --edits --help-time=55]: rc11 bug2
// blame[-DBUG=2]: sc bug2
// fix[-DBUG=3 --edits --help-time=55]: rc11 bug3
// blame[-DBUG=3]: sc bug3
//
// Treiber's stack with nodes from malloc, freed as soon as nobody can hold them any more (Michael's
// hazard pointers). A thread announces the node that it is about to read, and then checks that it
// is still the top; who has popped a node frees it if nobody announces it, and leaves it to the end
// of the program otherwise.
//
// The announcement must be visible before the check, and a popped node is gone from the top before
// the announcements are read: two store-load orders, which only seq_cst gives.
//
// BUG 1: the announcement is only a release store.
// BUG 2: the check after the announcement is missing.
// BUG 3: the popper frees without looking at the announcements.

#include "structures.h"

typedef struct Node {
  int value;
  struct Node *next;
} Node;

static _Atomic (Node *) top, hazards[N];
static Node *retired[N];

static void push (int value) {
  Node *n = malloc (sizeof *n);
  if (!n) abort ();
  n->value = value;
  n->next = atomic_load_explicit (&top, memory_order_relaxed);
  while (!atomic_compare_exchange_strong_explicit (&top, &n->next, n, memory_order_release,
                                                   memory_order_relaxed)) {
  }
}

/* The top, announced as being in use by thread i. */
static Node *protect_top (int i) {
  Node *n, *again;
  do {
    n = atomic_load_explicit (&top, memory_order_relaxed);
    atomic_store_explicit (&hazards[i], n, BUG == 1 ? memory_order_release : memory_order_seq_cst); // @bug1
    again = BUG == 2 ? n : atomic_load_explicit (&top, memory_order_seq_cst); // @bug2
  } while (n != again);
  return n;
}

static Node *pop (int i) {
  Node *n, *next;
  do {
    n = protect_top (i);
    if (!n) break;
    next = n->next; // @next
  } while (!atomic_compare_exchange_strong_explicit (&top, &n, next, memory_order_seq_cst,
                                                     memory_order_relaxed));
  atomic_store_explicit (&hazards[i], NULL, memory_order_release);
  return n; // @bug3
}

static void retire (Node *n, int i) {
  for (int j = 0; j < N && BUG != 3; j++) // @bug3
    if (atomic_load_explicit (&hazards[j], memory_order_seq_cst) == n) {
      retired[i] = n;
      return;
    }
  free (n);
}

static void *thread (void *arg) {
  int i = number (arg);
  Node *n = pop (i);
  assert (n && (n->value == 1 || n->value == 2));
  retire (n, i);
  return NULL;
}

int main (void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) push (1 + i % 2);
  for (int i = 0; i < N; i++) start (&t[i], thread, i);
  join (t, N);
  assert (!atomic_load_explicit (&top, memory_order_relaxed));
  for (int i = 0; i < N; i++) free (retired[i]);
}
