// Nothing is lost: blocks are freed, here or by another thread, or somebody still points to them: a variable, another
// block, with a tag, into the middle, a thread that has not ended.
// verdict[--leaks]: rc11 pass
// verdict[--leaks]: tso pass
// verdict[--leaks --reduce=none]: rc11 pass
// verdict[--leaks -DEXIT]: rc11 pass
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

struct node {
  struct node *next;
  int value[4];
};

static struct node *_Atomic head;
static struct node *list;
static int *middle;
static uintptr_t tagged;
static _Thread_local int *own;

static void push (struct node *n) {
  n->next = atomic_load (&head);
  while (!atomic_compare_exchange_strong (&head, &n->next, n)) {}
}

static void *pusher (void *unused) {
  push (malloc (sizeof (struct node)));
  return unused;
}

static void *freer (void *p) {
  free (p);
  return NULL;
}

static void *waits (void *unused) { // may not have ended when main does
  struct node *n = malloc (sizeof *n);
  n->next = malloc (sizeof *n);
  free (n->next);
  free (n);
  return unused;
}

int main (void) {
  pthread_t a, b, c;
  pthread_create (&a, NULL, pusher, NULL);
  pthread_create (&b, NULL, freer, malloc (8));
  push (malloc (sizeof (struct node)));
  list = malloc (sizeof *list);
  list->next = malloc (sizeof *list);
  list->next->next = NULL;
  middle = ((struct node *)malloc (sizeof (struct node)))->value + 2;
  tagged = (uintptr_t)malloc (16) | 1 | (uintptr_t)5 << 48;
  own = malloc (4);
  free (malloc (3));
  pthread_join (a, NULL);
  pthread_join (b, NULL);
  pthread_create (&c, NULL, waits, NULL);
  int *local = malloc (sizeof *local);
  *local = 1;
#ifdef EXIT
  free (local);
  exit (0);
#endif
  free (local);
  return 0;
}
