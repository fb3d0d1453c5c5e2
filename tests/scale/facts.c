/* What is learned late: blocks, 16-byte values, threads and shared memory that only some executions
 * have. N threads draw tickets; what a thread does next depends on which one it has drawn, and on
 * who came before it. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef N
#define N 5
#endif

typedef struct Top {
  int *node;
  unsigned long count;
} Top;

static atomic_int tickets, last;
static _Atomic Top top;
static int rare[N], order[N];

static void *late (void *arg) {
  atomic_fetch_add (&last, *(int *)arg);
  return NULL;
}

static void *run (void *arg) {
  int me = (int)(long)arg, ticket = atomic_fetch_add (&tickets, 1);
  order[ticket] = me;
  if (ticket == me) return NULL;
  int before = atomic_exchange (&last, me);
  int *node = malloc (sizeof (int) * (size_t)(1 + before + me));
  *node = ticket;
  Top old = atomic_load (&top);
  if (atomic_compare_exchange_strong (&top, &old, ((Top){node, old.count + 1}))) {
    if (ticket == N - 1 && before == 1) { /* few come here */
      pthread_t t;
      rare[before] = me;
      pthread_create (&t, NULL, late, &rare[before]);
      pthread_join (t, NULL);
    }
  } else
    free (node);
  return NULL;
}

int main (void) {
  pthread_t t[N];
  for (long i = 0; i < N; i++) pthread_create (&t[i], NULL, run, (void *)i);
  for (int i = 0; i < N; i++) pthread_join (t[i], NULL);
  Top end = atomic_load (&top);
  assert (end.count <= N);
  return 0;
}
