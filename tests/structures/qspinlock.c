// expect: rc11 6, sc 6, tso 6
// verdict[-DN=3]: rc11 pass
// verdict[-DN=3]: tso pass
// finding[-DBUG=1]: rc11 race inside
// finding[-DBUG=1]: rc11 assert sum
// finding[-DN=3 -DBUG=2]: rc11 race inside
// finding[-DN=3 -DBUG=2]: rc11 assert sum
// finding[-DN=4 -DBUG=3 --max-executions=20000]: rc11 liveness head
// finding[-DN=4 -DBUG=3 --max-executions=20000]: sc liveness head
// fix[-DBUG=1]: rc11 bug1
// fix[-DN=3 -DBUG=2]: rc11 bug2
// blame[-DN=4 -DBUG=3 --max-executions=20000]: rc11 bug3
// blame[-DN=4 -DBUG=3 --max-executions=20000]: sc bug3
//
// A queued spinlock in one word: a bit for the holder, a bit for one thread that waits at the word
// itself, and the number of the last thread of a queue behind these two.
//
// The queue only gets longer than one with four threads (1628712 executions, half a minute).
//
// BUG 1: the unlock publishes nothing.
// BUG 2: the head of the queue does not acquire when it sees the lock free.
// BUG 3: a thread that set the pending bit in vain leaves it set, and everybody waits for a pending
//        thread that does not exist.

#include "structures.h"

/* from TAIL upwards: the number of the last thread in the queue, from 1 */
enum { LOCKED = 1, PENDING = 2, TAIL = 4 };

typedef struct Node {
  _Atomic (struct Node *) next;
  atomic_int wait;
} Node;

static atomic_int word;
static Node nodes[N];
static int counter;

/* True if the thread got the lock as the only one that waits; false if there is a queue to join. */
static bool wait_at_word (void) {
  int old = atomic_fetch_or_explicit (&word, PENDING, memory_order_acquire);
  if (old & ~LOCKED) {
    if (!(old & PENDING) && BUG != 3) // @bug3
      atomic_fetch_and_explicit (&word, ~PENDING, memory_order_relaxed);
    return false;
  }
  while (atomic_load_explicit (&word, memory_order_acquire) & LOCKED) {
  }
  atomic_fetch_add_explicit (&word, LOCKED - PENDING, memory_order_relaxed);
  return true;
}

static void wait_in_queue (int i) {
  Node *mine = &nodes[i], *next;
  int me = (i + 1) * TAIL;
  atomic_store_explicit (&mine->next, NULL, memory_order_relaxed);
  atomic_store_explicit (&mine->wait, 1, memory_order_relaxed);

  int old = atomic_load_explicit (&word, memory_order_relaxed);
  while (!atomic_compare_exchange_strong_explicit (&word, &old, (old & (LOCKED | PENDING)) | me,
                                                   memory_order_acq_rel, memory_order_relaxed)) {
  }
  if (old / TAIL) {
    atomic_store_explicit (&nodes[old / TAIL - 1].next, mine, memory_order_release);
    while (atomic_load_explicit (&mine->wait, memory_order_acquire)) {
    }
  }

  /* at the head of the queue: wait for the holder and the pending thread */
  int now;
  while ((now = atomic_load_explicit (&word, ORDER (acquire, 2))) & (LOCKED | PENDING)) { // @head // @bug2
  }
  if (now == me && atomic_compare_exchange_strong_explicit (
                       &word, &now, LOCKED, memory_order_relaxed, memory_order_relaxed))
    return; /* the queue is empty again */

  atomic_fetch_or_explicit (&word, LOCKED, memory_order_relaxed);
  while (!(next = atomic_load_explicit (&mine->next, memory_order_acquire))) {
  }
  atomic_store_explicit (&next->wait, 0, memory_order_release);
}

static void lock (int i) {
  int now = 0;
  if (atomic_compare_exchange_strong_explicit (&word, &now, LOCKED, memory_order_acquire,
                                               memory_order_relaxed))
    return;
  if (now & ~LOCKED || !wait_at_word ()) wait_in_queue (i);
}

static void unlock (void) { atomic_fetch_sub_explicit (&word, LOCKED, ORDER (release, 1)); } // @bug1

static void *thread (void *arg) {
  lock (number (arg));
  counter++; // @inside
  unlock ();
  return NULL;
}

int main (void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) start (&t[i], thread, i);
  join (t, N);
  assert (counter == N); // @sum
}
