// An update is in all memories at once, but not before what a store in its place would need: after a release fence
// (FENCE), and after a release store that it has read (else: a release sequence).
// verdict[-DFENCE -DUPDATE={0..2}]: rc11 pass
// verdict[-DFENCE -DUPDATE={0..2}]: mca pass
// verdict[-DFENCE -DUPDATE={0..2}]: non-mca pass
// verdict[-DFENCE -DUPDATE={0..2}]: share pass
// verdict[-DFENCE -DUPDATE={0..2} --reduce=none]: non-mca pass
// verdict[-DFENCE -DUPDATE={0..2} --incoherent]: non-mca pass
// verdict[-DUPDATE={0..2}]: rc11 pass
// verdict[-DUPDATE={0..2}]: mca pass
// verdict[-DUPDATE={0..2}]: non-mca pass
// verdict[-DUPDATE={0..2}]: share pass
// verdict[-DUPDATE={0..2} --reduce=none]: non-mca pass
// finding[-DFAILS]: mca assert buffered
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y, z;
#ifdef FENCE
enum { SENT = 1 };
#else
enum { SENT = 2 };
#endif

static void update (int expected) {
#if UPDATE == 0
  atomic_fetch_add_explicit (&y, 1, memory_order_relaxed);
  (void)expected;
#elif UPDATE == 1
  atomic_compare_exchange_strong_explicit (&y, &expected, expected + 1, memory_order_relaxed,
                                           memory_order_relaxed);
#else
  int seen = atomic_exchange_explicit (&y, expected + 1, memory_order_relaxed);
  if (seen != expected) atomic_store_explicit (&y, 0, memory_order_relaxed);
#endif
}

static void *writer (void *unused) {
  atomic_store_explicit (&x, 1, memory_order_relaxed);
#ifdef FENCE
  atomic_thread_fence (memory_order_release);
  update (0);
#else
  atomic_store_explicit (&y, 1, memory_order_release);
#endif
  return unused;
}

static void *updater (void *unused) {
#ifndef FENCE
  if (atomic_load_explicit (&y, memory_order_relaxed) == 1) update (1);
#endif
  return unused;
}

static void *reader (void *unused) {
  if (atomic_load_explicit (&y, memory_order_acquire) == SENT)
    assert (atomic_load_explicit (&x, memory_order_relaxed));
  return unused;
}

#ifdef FAILS // one that fails is a load, and waits for nothing
static atomic_int first, second;

static int fails (atomic_int *mine, const atomic_int *other) {
  int expected = 5;
  atomic_store_explicit (mine, 1, memory_order_relaxed);
  atomic_thread_fence (memory_order_release);
  atomic_compare_exchange_strong_explicit (&z, &expected, 6, memory_order_relaxed,
                                           memory_order_relaxed);
  return atomic_load_explicit (other, memory_order_relaxed);
}
static void *left (void *unused) { return first = fails (&x, &y), unused; }
static void *right (void *unused) { return second = fails (&y, &x), unused; }
#endif

int main (void) {
  pthread_t t[3];
#ifdef FAILS
  pthread_create (&t[0], NULL, left, NULL);
  pthread_create (&t[1], NULL, right, NULL);
  pthread_join (t[0], NULL);
  pthread_join (t[1], NULL);
  assert (first || second); // @buffered
#else
  pthread_create (&t[0], NULL, writer, NULL);
  pthread_create (&t[1], NULL, updater, NULL);
  pthread_create (&t[2], NULL, reader, NULL);
  for (int i = 0; i < 3; i++) pthread_join (t[i], NULL);
#endif
  return 0;
}
