// Blocks that nobody can free any more when the program ends, each in another way; found with --leaks only.
// expect: rc11 1
// finding[--leaks]: rc11 leak A
// finding[--leaks -DKIND=1]: rc11 leak B
// finding[--leaks -DKIND=2]: rc11 leak C
// finding[--leaks -DKIND=3]: rc11 leak D
// finding[--leaks -DKIND=3]: tso leak D
// finding[--leaks -DKIND=4]: rc11 leak E
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef KIND
#define KIND 0
#endif

struct node {
  struct node *next;
};

static struct node *_Atomic head;
static struct node *kept;

static void *pusher (void *unused) {
  struct node *n = malloc (sizeof *n); // @D
  n->next = NULL;
  struct node *old = atomic_load (&head); // another thread may come between
  n->next = old;
  atomic_store (&head, n);
  return unused;
}

static void *ends (void *unused) {
  int *own = malloc (sizeof *own); // @E
  *own = 1;
  return unused;
}

int main (void) {
  pthread_t a, b;
  if (KIND == 0) {
    int *p = malloc (4); // @A
    *p = 1;
  }
  if (KIND == 1) {
    kept = malloc (sizeof *kept);
    kept->next = malloc (sizeof *kept); // @B
    kept->next = NULL;
  }
  if (KIND == 2) { // a cycle that nobody points to
    struct node *n = malloc (sizeof *n); // @C
    n->next = n;
  }
  if (KIND == 3) { // an update is lost
    pthread_create (&a, NULL, pusher, NULL);
    pthread_create (&b, NULL, pusher, NULL);
    pthread_join (a, NULL);
    pthread_join (b, NULL);
  }
  if (KIND == 4) {
    pthread_create (&a, NULL, ends, NULL);
    pthread_join (a, NULL);
  }
  return 0;
}
