// A loop that waits calls a function with local variables whose addresses are passed on. They are
// no more when it returns, so the loop comes back to where it was.
// verdict: rc11 pass
// verdict: sc pass
// verdict: tso pass
// finding[-DRELAXED]: rc11 race value
// finding[-DRELAXED]: rc11 assert wrong
// finding[-DNOBODY]: rc11 liveness wait|look
// finding[-DNOBODY]: sc liveness wait|look
// verdict[-DCOUNTS]: rc11 pass
// finding[-DCOUNTS -DNOBODY]: rc11 assert counted
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#ifdef RELAXED
#define PUBLISH memory_order_relaxed
#else
#define PUBLISH memory_order_release
#endif

typedef struct Message {
  int number, copies[2];
} Message;

static Message slot;
static atomic_bool is_full;

static bool take (Message *m) {
  m->copies[0] = 0;
  m->number = -1;
  if (!atomic_load_explicit (&is_full, memory_order_acquire)) return false; // @look
  m->number = slot.number;                                                  // @value
  return true;
}

static bool poll_once (int *tries) {
  Message m;
#ifdef COUNTS
  ++*tries;
#else
  (void)tries;
#endif
  if (!take (&m)) return false;
  assert (m.number == 42); // @wrong
  return true;
}

static void *consumer (void *arg) {
  int tries = 0;
  while (!poll_once (&tries)) { // @wait
    assert (tries < 3);         // @counted
#ifndef NOBODY
    if (tries == 2) break;
#endif
  }
  return arg;
}

static void *producer (void *arg) {
#ifndef NOBODY
  slot.number = 42;
  atomic_store_explicit (&is_full, true, PUBLISH);
#endif
  return arg;
}

int main (void) {
  pthread_t t1, t2;
  pthread_create (&t1, NULL, consumer, NULL);
  pthread_create (&t2, NULL, producer, NULL);
  pthread_join (t1, NULL);
  pthread_join (t2, NULL);
}
