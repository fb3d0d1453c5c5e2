// liburcu's wait-free stack: two threads push, a third pops all or one by one; what was written before a push is seen
// after the pop.
// In C11 volatile is no kind of atomic; on x86 a volatile access is one instruction, which is what -fms-volatile says.
// finding: rc11 race
// verdict[-fms-volatile]: rc11 pass
// verdict[-fms-volatile]: tso pass
// verdict[-fms-volatile -DONE]: rc11 pass
// verdict[-fms-volatile -DONE]: tso pass
#define _LGPL_SOURCE
#include <assert.h>
#include <pthread.h>
#include <urcu/wfstack.h>

typedef struct Item {
  int value;
  struct cds_wfs_node node;
} Item;

static struct cds_wfs_stack stack;
static Item items[2];

/* What the library does after some rounds of waiting; the rounds that follow show nothing new. */
int poll (struct pollfd *fds, nfds_t n, int milliseconds) {
  (void)fds, (void)n, (void)milliseconds;
  __VERIFIER_assume (0);
  return 0;
}

static void *push (void *arg) {
  Item *i = arg;
  i->value = 1;
  cds_wfs_node_init (&i->node);
  cds_wfs_push (&stack, &i->node);
  return NULL;
}

static int take (struct cds_wfs_node *n) {
  Item *i = caa_container_of (n, Item, node);
  assert (i->value == 1);
  i->value = 2;
  return 1;
}

static int pop (void) {
#ifdef ONE
  struct cds_wfs_node *n = cds_wfs_pop_blocking (&stack);
  return n ? take (n) : 0;
#else
  int count = 0;
  struct cds_wfs_node *n, *next;
  struct cds_wfs_head *head = cds_wfs_pop_all_blocking (&stack);
  if (head) cds_wfs_for_each_blocking_safe (head, n, next) count += take (n);
  return count;
#endif
}

int main (void) {
  pthread_t t[2];
  int count = 0, last;
  cds_wfs_init (&stack);
  for (int i = 0; i < 2; i++) pthread_create (&t[i], NULL, push, &items[i]);
  count = pop ();
  for (int i = 0; i < 2; i++) pthread_join (t[i], NULL);
  while ((last = pop ())) count += last;
  assert (count == 2 && cds_wfs_empty (&stack));
  return 0;
}
