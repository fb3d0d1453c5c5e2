// A work-stealing deque with one owner and one thief: no item is taken twice.
// verdict[-DFENCE=1]: rc11 pass
// verdict[-DFENCE=1]: sc pass
// verdict[-DFENCE=1]: tso pass
// verdict[-DFENCE=0]: sc pass
// finding[-DFENCE=0]: tso assert
// finding[-DFENCE=0]: rc11 assert
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int top, bottom, item[4], taken[4];

static void fence (void) {
  if (FENCE) atomic_thread_fence (memory_order_seq_cst);
}

static void got (int i) {
  assert (atomic_fetch_add_explicit (&taken[i], 1, memory_order_relaxed) == 0);
}

static void push (int value) {
  int b = atomic_load_explicit (&bottom, memory_order_relaxed);
  atomic_store_explicit (&item[b], value, memory_order_relaxed);
  atomic_store_explicit (&bottom, b + 1, memory_order_release);
}

static void take (void) {
  int b = atomic_load_explicit (&bottom, memory_order_relaxed) - 1;
  atomic_store_explicit (&bottom, b, memory_order_relaxed);
  fence ();
  int t = atomic_load_explicit (&top, memory_order_relaxed);
  if (t > b) {
    atomic_store_explicit (&bottom, b + 1, memory_order_relaxed);
    return;
  }
  int value = atomic_load_explicit (&item[b], memory_order_relaxed);
  if (t == b) {
    int won = atomic_compare_exchange_strong_explicit (&top, &t, t + 1, memory_order_seq_cst,
                                                       memory_order_relaxed);
    atomic_store_explicit (&bottom, b + 1, memory_order_relaxed);
    if (!won) return;
  }
  got (value);
}

static void steal (void) {
  int t = atomic_load_explicit (&top, memory_order_acquire);
  fence ();
  int b = atomic_load_explicit (&bottom, memory_order_acquire);
  if (t >= b) return;
  int value = atomic_load_explicit (&item[t], memory_order_relaxed);
  if (atomic_compare_exchange_strong_explicit (&top, &t, t + 1, memory_order_seq_cst,
                                               memory_order_relaxed))
    got (value);
}

static void *owner (void *unused) {
  push (1);
  push (2);
  take ();
  take ();
  return NULL;
}

static void *thief (void *unused) {
  steal ();
  steal ();
  return NULL;
}

int main (void) {
  pthread_t a, b;
  pthread_create (&a, NULL, owner, NULL);
  pthread_create (&b, NULL, thief, NULL);
  pthread_join (a, NULL);
  pthread_join (b, NULL);
  return 0;
}
