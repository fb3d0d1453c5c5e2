// A list on the heap, built by one thread, walked by another after the join.
// expect: rc11 1/0
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct node {
  struct node *next;
  int key;
};

static struct node *list;

static void *build (void *unused) {
  for (int i = 0; i < 5; i++) {
    struct node *n = malloc (sizeof *n);
    *n = (struct node){list, i};
    list = n;
  }
  return NULL;
}

int main (void) {
  pthread_t t;
  int sum = 0;
  pthread_create (&t, NULL, build, NULL);
  pthread_join (t, NULL);
  while (list) {
    struct node *n = list;
    list = n->next;
    sum += n->key;
    free (n);
  }
  assert (sum == 10);
  return 0;
}
