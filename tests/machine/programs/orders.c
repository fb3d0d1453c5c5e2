// What fences, orders and mutexes mean on the machine: two readers and two writers, a message that
// is passed on, and mutual exclusion.
// finding: non-mca assert agree
// verdict: mca pass
// verdict[-DREAD=memory_order_seq_cst]: non-mca pass
// verdict[-DREAD=memory_order_seq_cst]: share pass
// verdict[-DSYNC]: non-mca pass
// finding[-DPASS]: non-mca assert passed
// verdict[-DPASS]: mca pass
// finding[-DMUTEX --incoherent]: non-mca assert count
// verdict[-DPASS -DWRITE=memory_order_release]: non-mca pass
// verdict[-DPASS -DWRITE=memory_order_release]: share pass
// verdict[-DMUTEX]: non-mca pass
// verdict[-DMUTEX]: share pass
// verdict[-DMUTEX]: mca pass
// verdict[-DMUTEX --reduce=none]: mca pass
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef READ
#define READ memory_order_acquire
#endif
#ifndef WRITE
#define WRITE memory_order_relaxed
#endif
static _Atomic int x, y;

static void fence (void) {
#ifdef SYNC
  atomic_thread_fence (memory_order_seq_cst);
#endif
}

#if defined MUTEX
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int count;
static void *add (void *arg) {
  pthread_mutex_lock (&m);
  count++;
  pthread_mutex_unlock (&m);
  return arg;
}
int main (void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++) pthread_create (&t[i], 0, add, 0);
  for (int i = 0; i < 3; i++) pthread_join (t[i], 0);
  assert (count == 3); // @count
  return 0;
}
#elif defined PASS
static void *first (void *arg) {
  atomic_store_explicit (&x, 1, memory_order_relaxed);
  return arg;
}
static void *second (void *arg) { /* passes on what it has seen */
  if (atomic_load_explicit (&x, READ)) atomic_store_explicit (&y, 1, WRITE);
  return arg;
}
static void *third (void *arg) {
  if (atomic_load_explicit (&y, READ))
    assert (atomic_load_explicit (&x, memory_order_relaxed)); // @passed
  return arg;
}
int main (void) {
  pthread_t t[3];
  pthread_create (&t[0], 0, first, 0);
  pthread_create (&t[1], 0, second, 0);
  pthread_create (&t[2], 0, third, 0);
  for (int i = 0; i < 3; i++) pthread_join (t[i], 0);
  return 0;
}
#else
static void *write_to (void *at) {
  atomic_store_explicit ((_Atomic int *)at, 1, READ == memory_order_seq_cst ? READ : WRITE);
  return 0;
}
static void *read_both (void *arg) {
  _Atomic int *a = arg ? &x : &y, *b = arg ? &y : &x;
  int r = atomic_load_explicit (a, READ);
  fence ();
  int s = atomic_load_explicit (b, READ);
  return (void *)(intptr_t)(r && !s);
}
int main (void) {
  pthread_t t[4];
  void *one, *other;
  pthread_create (&t[0], 0, write_to, &x);
  pthread_create (&t[1], 0, write_to, &y);
  pthread_create (&t[2], 0, read_both, 0);
  pthread_create (&t[3], 0, read_both, &x);
  pthread_join (t[0], 0);
  pthread_join (t[1], 0);
  pthread_join (t[2], &one);
  pthread_join (t[3], &other);
  assert (!(one && other)); // @agree
  return 0;
}
#endif
