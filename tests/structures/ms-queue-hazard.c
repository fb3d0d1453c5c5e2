// expect: rc11 35
// verdict: imm pass
// verdict: armv8 pass
// verdict: power pass
// verdict: riscv pass
// verdict[-DN=3]: rc11 pass
// verdict: tso pass
// finding[-DN=3 -DBUG=1]: rc11 use-after-free
// finding[-DN=3 -DBUG=1]: tso use-after-free
// finding[-DN=3 -DBUG=2]: rc11 use-after-free
// finding[-DN=3 -DBUG=2]: sc use-after-free
// finding[-DBUG=3]: rc11 race fill|use
// finding[-DBUG=3]: rc11 uninitialised use
// fix[-DN=3 -DBUG=1 -DITEMS=1]: rc11 bug1
// fix[-DN=3 -DBUG=1 -DITEMS=1]: tso bug1
// blame[-DN=3 -DBUG=2]: rc11 bug2
// blame[-DN=3 -DBUG=2]: sc bug2
// fix[-DBUG=3]: rc11 bug3
//
// The queue of Michael and Scott with nodes from malloc, freed as soon as no hazard pointer names
// them. The first thread enqueues 1 and 2 (ITEMS), the others dequeue: values come out in order, once.
//
// BUG 1: announcing a node is only a release store, so the check behind it may be too early.
// BUG 2: an old dummy is freed whoever announces it.
// BUG 3: the link to a new node is published without its contents.

#include "structures.h"

#ifndef ITEMS
#define ITEMS 2
#endif

typedef struct Node {
  int value;
  _Atomic (struct Node *) next;
} Node;

enum { HAZARDS = 2 };

static _Atomic (Node *) head, tail, hazards[N][HAZARDS];
static Node *retired[N];
static int got[N];

static Node *make (int value) {
  Node *n = malloc (sizeof *n);
  if (!n) abort ();
  n->value = value; // @fill
  atomic_init (&n->next, NULL);
  return n;
}

/* What p points to, announced as being in use. */
static Node *protect (_Atomic (Node *) *hazard, _Atomic (Node *) *p) {
  Node *n;
  do {
    n = atomic_load_explicit (p, memory_order_relaxed);
    atomic_store_explicit (hazard, n, BUG == 1 ? memory_order_release : memory_order_seq_cst); // @bug1
  } while (n != atomic_load_explicit (p, memory_order_seq_cst));
  return n;
}

static bool change (_Atomic (Node *) *p, Node *from, Node *to, memory_order order) {
  return atomic_compare_exchange_strong_explicit (p, &from, to, order, memory_order_relaxed);
}

static void enqueue (int i, int value) {
  Node *n = make (value);
  for (;;) {
    Node *last = protect (&hazards[i][0], &tail);
    Node *after = atomic_load_explicit (&last->next, memory_order_acquire);
    if (after) {
      change (&tail, last, after, memory_order_seq_cst);
    } else if (change (&last->next, NULL, n, ORDER (release, 3))) { // @bug3
      change (&tail, last, n, memory_order_seq_cst);
      break;
    }
  }
  atomic_store_explicit (&hazards[i][0], NULL, memory_order_release);
}

static void retire (int i, Node *n) {
  for (int j = 0; j < N && BUG != 2; j++) // @bug2
    for (int k = 0; k < HAZARDS; k++)
      if (atomic_load_explicit (&hazards[j][k], memory_order_seq_cst) == n) {
        retired[i] = n;
        return;
      }
  free (n);
}

/* 0 if the queue is empty */
static int dequeue (int i) {
  int value = 0;
  for (;;) {
    Node *first = protect (&hazards[i][0], &head);
    Node *last = atomic_load_explicit (&tail, memory_order_acquire);
    Node *after = protect (&hazards[i][1], &first->next);
    if (first != atomic_load_explicit (&head, memory_order_seq_cst)) continue;
    if (!after) break;
    if (first == last) {
      change (&tail, last, after, memory_order_seq_cst);
      continue;
    }
    value = after->value; // @use
    if (change (&head, first, after, memory_order_seq_cst)) {
      atomic_store_explicit (&hazards[i][0], NULL, memory_order_release);
      atomic_store_explicit (&hazards[i][1], NULL, memory_order_release);
      retire (i, first);
      return value;
    }
  }
  atomic_store_explicit (&hazards[i][0], NULL, memory_order_release);
  return 0;
}

static void *producer (void *arg) {
  for (int item = 1; item <= ITEMS; item++) enqueue (number (arg), item);
  return NULL;
}

static void *consumer (void *arg) {
  int i = number (arg);
  got[i] = dequeue (i);
  return NULL;
}

int main (void) {
  pthread_t t[N];
  Node *dummy = make (0);
  atomic_init (&head, dummy);
  atomic_init (&tail, dummy);
  for (int i = 0; i < N; i++) start (&t[i], i ? consumer : producer, i);
  join (t, N);

  int ones = 0, twos = 0;
  for (int i = 1; i < N; i++) ones += got[i] == 1, twos += got[i] == 2;
  assert (ones <= 1 && twos <= ones); /* 2 comes after 1 */

  for (int i = 0; i < N; i++) free (retired[i]);
  for (Node *n = head, *next; n; n = next) next = n->next, free (n);
}
