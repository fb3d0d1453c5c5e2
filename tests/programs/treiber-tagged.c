// A stack whose top is a pointer and a count of changes, 16 bytes that are compared and exchanged at once. Nodes are
// used again at once, so without the count (-DUNTAGGED) a pop can take a node for the one it has seen and lose another.
// verdict: rc11 pass
// verdict: tso pass
// finding[-DUNTAGGED]: rc11 assert A
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

typedef struct Node {
  _Atomic (struct Node *) next;
  int value;
} Node;
typedef struct Top {
  Node *node;
  unsigned long changes;
} Top;

static Node nodes[2] = {{&nodes[1], 1}, {NULL, 2}};
static _Atomic Top top = (Top){&nodes[0], 0};
static atomic_int popped[2];

#ifdef UNTAGGED
#define STEP 0
#else
#define STEP 1
#endif

static void push (Node *n) {
  Top old = atomic_load_explicit (&top, memory_order_relaxed), new;
  do {
    atomic_store_explicit (&n->next, old.node, memory_order_relaxed);
    new = (Top){n, old.changes + STEP};
  } while (!atomic_compare_exchange_strong_explicit (&top, &old, new, memory_order_release,
                                                     memory_order_relaxed));
}

static Node *pop (void) {
  Top old = atomic_load_explicit (&top, memory_order_acquire), new;
  do {
    if (!old.node) return NULL;
    new = (Top){atomic_load_explicit (&old.node->next, memory_order_relaxed), old.changes + STEP};
  } while (!atomic_compare_exchange_strong_explicit (&top, &old, new, memory_order_acquire,
                                                     memory_order_acquire));
  return old.node;
}

static void *one (void *unused) {
  Node *n = pop ();
  if (n) assert (atomic_fetch_add (&popped[n - nodes], 1) == 0); // @A
  return unused;
}

static void *two (void *unused) {
  Node *a = pop ();
  Node *b = pop ();
  if (b) assert (atomic_fetch_add (&popped[b - nodes], 1) == 0);
  if (a) push (a);
  return unused;
}

int main (void) {
  pthread_t t, u;
  pthread_create (&t, NULL, one, NULL);
  pthread_create (&u, NULL, two, NULL);
  pthread_join (t, NULL);
  pthread_join (u, NULL);
  Node *n = pop ();
  if (n) assert (atomic_fetch_add (&popped[n - nodes], 1) == 0); // @A
  n = pop ();
  if (n) assert (atomic_fetch_add (&popped[n - nodes], 1) == 0); // @A
  return 0;
}
