// liburcu's concurrent queue with wait-free enqueue: items of one producer arrive in order, none is lost.
// In C11 volatile is no kind of atomic; on x86 a volatile access is one instruction, which is what -fms-volatile says.
// finding: rc11 race
// verdict[-fms-volatile]: rc11 pass
// verdict[-fms-volatile]: tso pass
// verdict[-fms-volatile -DPRODUCERS=2]: rc11 pass
// verdict[-fms-volatile -DPRODUCERS=2]: tso pass
#define _LGPL_SOURCE
#define CDS_WFCQ_WAIT_SLEEP(milliseconds) __VERIFIER_assume (0) /* more rounds show nothing new */
#include <assert.h>
#include <pthread.h>
#include <urcu/wfcqueue.h>

#ifndef PRODUCERS
#define PRODUCERS 1
#endif
#define EACH (2 / PRODUCERS)

typedef struct Item {
  int producer, serial;
  struct cds_wfcq_node node;
} Item;

static struct cds_wfcq_head head;
static struct cds_wfcq_tail tail;
static Item items[PRODUCERS][EACH];
static int taken[PRODUCERS];

static void *produce (void *arg) {
  Item *mine = arg;
  for (int i = 0; i < EACH; i++) {
    mine[i].producer = (int)(mine - items[0]) / EACH;
    mine[i].serial = i;
    cds_wfcq_node_init (&mine[i].node);
    cds_wfcq_enqueue (&head, &tail, &mine[i].node);
  }
  return NULL;
}

static int consume (void) {
  struct cds_wfcq_node *n = cds_wfcq_dequeue_blocking (&head, &tail);
  if (!n) return 0;
  Item *i = caa_container_of (n, Item, node);
  assert (i->serial == taken[i->producer]);
  taken[i->producer]++;
  return 1;
}

int main (void) {
  pthread_t t[PRODUCERS];
  cds_wfcq_init (&head, &tail);
  for (int i = 0; i < PRODUCERS; i++) pthread_create (&t[i], NULL, produce, items[i]);
  consume ();
  consume ();
  for (int i = 0; i < PRODUCERS; i++) pthread_join (t[i], NULL);
  while (consume ()) continue;
  for (int i = 0; i < PRODUCERS; i++) assert (taken[i] == EACH);
  assert (cds_wfcq_empty (&head, &tail));
  return 0;
}
