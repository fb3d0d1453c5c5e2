/* What threads access is told apart by the program's text: fields, elements that the argument
 * chooses, memory from different calls of malloc, and what a function pointer leads to. Threads of
 * each pair write side by side and may share a memory; the reader may not. */
// expect: share 4
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

struct pair {
  _Atomic int left, right;
};

static struct pair pairs[2];
static struct pair *first, *second;
static _Atomic int called[2];

static void call_zero (void) { atomic_store_explicit (&called[0], 1, memory_order_relaxed); }
static void call_one (void) { atomic_store_explicit (&called[1], 1, memory_order_relaxed); }
static void (*const calls[]) (void) = {call_zero, call_one};

static void *writer (void *arg) {
  intptr_t i = (intptr_t)arg;
  atomic_store_explicit (&pairs[i].right, 1, memory_order_relaxed);
  calls[i]();
  return 0;
}

static void *filler (void *arg) {
  struct pair *p = arg ? first : second;
  atomic_store_explicit (&p->left, 1, memory_order_relaxed);
  return 0;
}

static void *reader (void *arg) {
  (void)arg;
  int seen = atomic_load_explicit (&pairs[0].right, memory_order_relaxed);
  return (void *)(intptr_t)(seen + atomic_load_explicit (&first->left, memory_order_relaxed));
}

int main (void) {
  pthread_t t[5];
  first = malloc (sizeof *first);
  second = malloc (sizeof *second);
  atomic_init (&first->left, 0);
  atomic_init (&second->left, 0);
  pthread_create (&t[0], 0, writer, (void *)0);
  pthread_create (&t[1], 0, writer, (void *)1);
  pthread_create (&t[2], 0, filler, (void *)0);
  pthread_create (&t[3], 0, filler, (void *)1);
  pthread_create (&t[4], 0, reader, 0);
  for (int i = 0; i < 5; i++) pthread_join (t[i], 0);
  return 0;
}
