// A ticket lock, or with -DMCS an MCS lock, that each of N threads takes K times.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 2
#endif
#ifndef K
#define K 2
#endif

static int shared;

#ifndef MCS
static atomic_uint next, serving;

static void lock (int me) {
  unsigned mine = atomic_fetch_add_explicit (&next, 1, memory_order_relaxed);
  (void)me;
  while (atomic_load_explicit (&serving, memory_order_acquire) != mine) {
  }
}
static void unlock (int me) {
  (void)me;
  atomic_store_explicit (&serving,
                         atomic_load_explicit (&serving, memory_order_relaxed) + 1,
                         memory_order_release);
}
#else
typedef struct Node {
  struct Node *_Atomic next;
  atomic_bool waits;
} Node;
static Node nodes[N];
static Node *_Atomic tail;

static void lock (int me) {
  Node *mine = &nodes[me];
  atomic_store_explicit (&mine->next, NULL, memory_order_relaxed);
  atomic_store_explicit (&mine->waits, 1, memory_order_relaxed);
  Node *before = atomic_exchange_explicit (&tail, mine, memory_order_acq_rel);
  if (!before) return;
  atomic_store_explicit (&before->next, mine, memory_order_release);
  while (atomic_load_explicit (&mine->waits, memory_order_acquire)) {
  }
}
static void unlock (int me) {
  Node *mine = &nodes[me], *expected = mine, *after;
  if (atomic_compare_exchange_strong_explicit (&tail, &expected, NULL, memory_order_release,
                                               memory_order_relaxed))
    return;
  while (!(after = atomic_load_explicit (&mine->next, memory_order_acquire))) {
  }
  atomic_store_explicit (&after->waits, 0, memory_order_release);
}
#endif

static void *work (void *arg) {
  int me = (int)(long)arg;
  for (int i = 0; i < K; i++) {
    lock (me);
    int before = shared++;
    assert (shared == before + 1);
    unlock (me);
  }
  return NULL;
}

int main (void) {
  pthread_t t[N];
  for (long i = 0; i < N; i++) pthread_create (&t[i], NULL, work, (void *)i);
  for (int i = 0; i < N; i++) pthread_join (t[i], NULL);
  assert (shared == N * K);
}
