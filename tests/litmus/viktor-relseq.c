// viktor-relseq: release sequences of updates: every order of six increments that program order allows.
// expect: sc 180/0, tso 180/0, pso 180/0, sra 180/0, ra 180/0, rc11 180/0, rc20 180/0, wrc11 180/0
// expect: jam19 180, jam21 180, jam21t 180
#include <pthread.h>
#include <stdatomic.h>

static atomic_int l;

static void *thread0 (void *unused) {
  atomic_fetch_add_explicit (&l, 1, memory_order_relaxed);
  atomic_fetch_add_explicit (&l, 1, memory_order_relaxed);
  return NULL;
}

static void *thread1 (void *unused) {
  atomic_fetch_add_explicit (&l, 1, memory_order_acquire);
  atomic_fetch_add_explicit (&l, 1, memory_order_relaxed);
  return NULL;
}

static void *thread2 (void *unused) {
  atomic_fetch_add_explicit (&l, 1, memory_order_release);
  return NULL;
}

static void *thread3 (void *unused) {
  atomic_fetch_add_explicit (&l, 1, memory_order_relaxed);
  return NULL;
}

int main (void) {
  pthread_t t[4];

  pthread_create (&t[0], NULL, thread0, NULL);
  pthread_create (&t[1], NULL, thread1, NULL);
  pthread_create (&t[2], NULL, thread2, NULL);
  pthread_create (&t[3], NULL, thread3, NULL);
  pthread_join (t[0], NULL);
  pthread_join (t[1], NULL);
  pthread_join (t[2], NULL);
  pthread_join (t[3], NULL);
  return 0;
}
