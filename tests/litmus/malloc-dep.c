// malloc-dep: objects allocated inside a call and linked afterwards; only the counter is shared.
// expect: sc 2/0, rc11 2/0, rc20 2/0, wrc11 2/0
// expect: jam19 2, jam21 2, jam21t 2
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct owner {
  void *data;
};

static atomic_int count;

static void *allocate (struct owner **o) {
  void *data = malloc (sizeof (long));
  if (o) {
    *o = malloc (sizeof **o);
    assert (*o);
  }
  atomic_fetch_add_explicit (&count, 1, memory_order_relaxed);
  return data;
}

static void *run (void *unused) {
  struct owner *o = NULL;
  void *data = allocate (&o);
  o->data = data;
  free (o->data);
  free (o);
  return NULL;
}

int main (void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create (&t[i], NULL, run, NULL);
  for (int i = 0; i < 2; i++) pthread_join (t[i], NULL);
  return 0;
}
