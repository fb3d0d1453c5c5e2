// expect[-DLOCK=0]: rc11 90/0, sc 90/0, tso 90/0
// expect[-DLOCK=1]: rc11 90/0, sc 90/0
// expect[-DLOCK=2]: rc11 17670/0
// expect[-DLOCK=3]: rc11 7134/0
//
// Three threads take a lock twice each: a mutex (0), a ticket lock (1), an MCS lock (2), a test-and-test-and-set lock
// (3). No annotation, no bound, no blocked execution.

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define RLX memory_order_relaxed
#define ACQ memory_order_acquire
#define REL memory_order_release

enum { THREADS = 3, TIMES = 2 };

static int shared;

#if LOCK == 0
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void lock (int i) {
  (void)i;
  pthread_mutex_lock (&mutex);
}

static void unlock (int i) {
  (void)i;
  pthread_mutex_unlock (&mutex);
}
#elif LOCK == 1
static atomic_int next, serving;

static void lock (int i) {
  (void)i;
  int ticket = atomic_fetch_add_explicit (&next, 1, RLX);
  while (atomic_load_explicit (&serving, ACQ) != ticket) continue;
}

static void unlock (int i) {
  (void)i;
  atomic_store_explicit (&serving, atomic_load_explicit (&serving, RLX) + 1, REL);
}
#elif LOCK == 2
typedef struct Node {
  _Atomic (struct Node *) next;
  atomic_int must_wait;
} Node;

static Node nodes[THREADS];
static _Atomic (Node *) tail;

static void lock (int i) {
  Node *mine = &nodes[i];
  atomic_store_explicit (&mine->next, NULL, RLX);
  atomic_store_explicit (&mine->must_wait, 1, RLX);
  Node *before = atomic_exchange_explicit (&tail, mine, memory_order_acq_rel);
  if (!before) return;
  atomic_store_explicit (&before->next, mine, REL);
  while (atomic_load_explicit (&mine->must_wait, ACQ)) continue;
}

static void unlock (int i) {
  Node *mine = &nodes[i], *after = atomic_load_explicit (&mine->next, ACQ), *last = mine;
  if (!after && atomic_compare_exchange_strong_explicit (&tail, &last, NULL, REL, RLX)) return;
  while (!after) after = atomic_load_explicit (&mine->next, ACQ);
  atomic_store_explicit (&after->must_wait, 0, REL);
}
#else
static atomic_int held;

static void lock (int i) {
  (void)i;
  do {
    while (atomic_load_explicit (&held, RLX)) continue;
  } while (atomic_exchange_explicit (&held, 1, ACQ));
}

static void unlock (int i) {
  (void)i;
  atomic_store_explicit (&held, 0, REL);
}
#endif

static void *thread (void *arg) {
  int i = (int)(long)arg;
  for (int k = 0; k < TIMES; k++) {
    lock (i);
    shared++;
    unlock (i);
  }
  return NULL;
}

int main (void) {
  pthread_t t[THREADS];
  for (long i = 0; i < THREADS; i++) pthread_create (&t[i], NULL, thread, (void *)i);
  for (int i = 0; i < THREADS; i++) pthread_join (t[i], NULL);
  assert (shared == THREADS * TIMES);
}
