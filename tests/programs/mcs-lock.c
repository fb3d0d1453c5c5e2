// The queue lock of Mellor-Crummey and Scott.
// expect[-DHAND_OVER=memory_order_release]: sc 6, rc11 6
// finding[-DHAND_OVER=memory_order_relaxed]: rc11 race
#include <pthread.h>
#include <stdatomic.h>

struct waiter {
  struct waiter *_Atomic next;
  atomic_int wait;
};

static struct waiter *_Atomic last;
static struct waiter waiters[2];
static int counter;

static void acquire (struct waiter *me) {
  atomic_store_explicit (&me->next, NULL, memory_order_relaxed);
  atomic_store_explicit (&me->wait, 1, memory_order_relaxed);
  struct waiter *before = atomic_exchange_explicit (&last, me, memory_order_acq_rel);
  if (!before) return;
  atomic_store_explicit (&before->next, me, memory_order_release);
  while (atomic_load_explicit (&me->wait, memory_order_acquire)) {
  }
}

static void release (struct waiter *me) {
  struct waiter *next = atomic_load_explicit (&me->next, memory_order_acquire);
  if (!next) {
    struct waiter *expected = me;
    if (atomic_compare_exchange_strong_explicit (&last, &expected, NULL, memory_order_release,
                                                 memory_order_relaxed))
      return;
    while (!(next = atomic_load_explicit (&me->next, memory_order_acquire))) {
    }
  }
  atomic_store_explicit (&next->wait, 0, HAND_OVER);
}

static void *increment (void *arg) {
  acquire (arg);
  counter++;
  release (arg);
  return NULL;
}

int main (void) {
  pthread_t a, b;
  pthread_create (&a, NULL, increment, &waiters[0]);
  pthread_create (&b, NULL, increment, &waiters[1]);
  pthread_join (a, NULL);
  pthread_join (b, NULL);
  return 0;
}
