// liburcu's lock-free stack: two threads push while the main thread pops, under the lock of the stack or all at once.
// In C11 volatile is no kind of atomic; on x86 a volatile access is one instruction, which is what -fms-volatile says.
// finding: rc11 race
// finding: rc11 assert
// verdict[-fms-volatile]: rc11 pass
// verdict[-fms-volatile]: tso pass
// verdict[-fms-volatile -DALL]: rc11 pass
// verdict[-fms-volatile -DALL]: tso pass
#define _LGPL_SOURCE
#include <assert.h>
#include <pthread.h>
#include <urcu/lfstack.h>

typedef struct Item {
  int value;
  struct cds_lfs_node node;
} Item;

static struct cds_lfs_stack stack;
static Item items[2];

static void *push (void *arg) {
  Item *i = arg;
  i->value = 1;
  cds_lfs_node_init (&i->node);
  cds_lfs_push (&stack, &i->node);
  return NULL;
}

static int take (struct cds_lfs_node *n) {
  Item *i = caa_container_of (n, Item, node);
  assert (i->value == 1);
  i->value = 2;
  return 1;
}

static int pop (void) {
#ifdef ALL
  int count = 0;
  struct cds_lfs_node *n, *next;
  struct cds_lfs_head *head = cds_lfs_pop_all_blocking (&stack);
  if (head) cds_lfs_for_each_safe (head, n, next) count += take (n);
  return count;
#else
  struct cds_lfs_node *n = cds_lfs_pop_blocking (&stack);
  return n ? take (n) : 0;
#endif
}

int main (void) {
  pthread_t t[2];
  int count = 0, last;
  cds_lfs_init (&stack);
  for (int i = 0; i < 2; i++) pthread_create (&t[i], NULL, push, &items[i]);
  count = pop ();
  for (int i = 0; i < 2; i++) pthread_join (t[i], NULL);
  while ((last = pop ())) count += last;
  assert (count == 2 && cds_lfs_empty (&stack));
  return 0;
}
