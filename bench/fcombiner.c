// expect: rc11 24, rc20 24, imm 24, wkmo2 24, xmm 28
// cyclic: xmm 4
//
// fcombiner: flat combining without waiting in line. Threads put messages into a queue; who finds
// it empty works for the others, too, for a while, and then passes the rest on: to one that waits
// already, or to whoever comes to wait. Two threads, one message each. Which of them is first to
// take a number makes two executions of each. What is left over is passed on by a relaxed store, so
// that messages must not be on stacks, and the sum races.
// flags: --no-race

#include <assert.h>
#include <stdatomic.h>
#include "threads.h"

void __VERIFIER_assume (int);

enum { THREADS = 2, MOST_AT_ONCE = 2 };

typedef struct Message Message;
struct Message {
  Message *_Atomic next,
      *_Atomic done; /* done: 0, `finished`, or the rest of the queue to go on with */
  atomic_int waits;
  int value, calls;
};

static Message finished, messages[THREADS];
static Message *_Atomic last, *_Atomic left_over;
static atomic_int numbers;
static int sum;

static Message *next_of (Message *m) {
  return atomic_load_explicit (&m->next, memory_order_acquire);
}

static Message *run (Message *m) { /* returns the last one it has run */
  Message *before = NULL;
  for (int i = 0; m && i < MOST_AT_ONCE; i++) {
    Message *next = next_of (m);
    sum += m->value;
    m->calls++;
    if (before) atomic_store_explicit (&before->done, &finished, memory_order_release);
    before = m;
    m = next;
  }
  return before;
}

static Message *leave (Message *m) { /* returns what is left of the queue */
  Message *next = next_of (m), *expected = m;
  atomic_thread_fence (memory_order_acq_rel);
  if (next) return next;
  if (atomic_compare_exchange_strong_explicit (&last, &expected, NULL, memory_order_relaxed,
                                               memory_order_relaxed))
    return NULL;
  next = next_of (m);
  __VERIFIER_assume (next != NULL);
  return next;
}

static void combine (Message *first) {
  Message *m = run (first);
  Message *rest = leave (m);
  atomic_store_explicit (&m->done, &finished, memory_order_relaxed);
  if (!rest) return;
  Message *heir = rest;
  while (heir && !atomic_load_explicit (&heir->waits, memory_order_relaxed)) heir = next_of (heir);
  if (heir)
    atomic_store_explicit (&heir->done, rest, memory_order_release);
  else
    atomic_store_explicit (&left_over, rest, memory_order_relaxed);
}

static void send (Message *m) {
  Message *before = atomic_exchange_explicit (&last, m, memory_order_release);
  atomic_thread_fence (memory_order_acquire);
  if (before)
    atomic_store_explicit (&before->next, m, memory_order_release);
  else
    combine (m);
}

static void wait_for (Message *m) {
  Message *todo;
  atomic_store_explicit (&m->waits, 1, memory_order_relaxed);
  while (!(todo = atomic_load_explicit (&m->done, memory_order_relaxed)))
    if (atomic_load_explicit (&left_over, memory_order_relaxed) &&
        (todo = atomic_exchange_explicit (&left_over, NULL, memory_order_relaxed)))
      break;
  atomic_thread_fence (memory_order_acquire);
  if (todo != &finished) combine (todo);
}

static void *thread (void *unused) {
  Message *m = &messages[atomic_fetch_add_explicit (&numbers, 1, memory_order_seq_cst)];
  m->value = 1;
  send (m);
  wait_for (m);
  return NULL;
}

int main (void) {
  pthread_t t[THREADS];
  for (int i = 0; i < THREADS; i++) start (&t[i], thread, i);
  join (t, THREADS);
  for (int i = 0; i < THREADS; i++) assert (messages[i].calls == 1);
}
