// Threads run the same code, and compare where their variables, or their blocks of memory, lie: which of two equal
// threads came first can be told by it.
// finding[-DWHO={1,2} -DWHAT={STACK,HEAP,LOCAL} -DHOW={LESS,MINUS,HASH}]: rc11 assert who
// finding[-DWHO={1,2} -DWHAT={STACK,HEAP,LOCAL} -DHOW={LESS,MINUS,HASH}]: sc assert who
// finding[-DWHO={1,2} -DWHAT={STACK,HEAP,LOCAL} -DHOW={LESS,MINUS,HASH}]: mca assert who
// finding[-DMAIN -DWHO={1,2} -DWHAT={STACK,HEAP,LOCAL} -DHOW={LESS,MINUS,HASH}]: rc11 assert who
// finding[-DMAIN -DWHO={1,2} -DWHAT={STACK,HEAP,LOCAL} -DHOW={LESS,MINUS,HASH}]: mca assert who
// verdict[-DWHO=1 -DWHAT={STACK,HEAP,LOCAL} -DHOW=EQUAL]: rc11 pass
// verdict[-DWHO=1 -DWHAT={STACK,HEAP,LOCAL} -DHOW=EQUAL]: sc pass
// verdict[-DWHO=1 -DWHAT={STACK,HEAP,LOCAL} -DHOW=EQUAL]: mca pass
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#define LESS(p, q) (p < q)
#define MINUS(p, q) ((intptr_t)p - (intptr_t)q < 0)
#define HASH(p, q) (((uintptr_t)p >> 4) * 3 < ((uintptr_t)q >> 4) * 3)
#define EQUAL(p, q) (p == q)
#define STACK &mine
#define HEAP block
#define LOCAL &local

static _Thread_local int local;
static _Atomic (int *) first, second;
static atomic_int order;

static void compare (int *p, int *q) { order = HOW (p, q) ? 1 : 2; }

static void *work (void *unused) {
  int mine = 0, *block = malloc (4), *none = NULL;
  if (!atomic_compare_exchange_strong (&first, &none, WHAT)) {
    atomic_store (&second, WHAT);
#ifndef MAIN
    compare (none, WHAT);
#endif
  }
  free (block);
  return unused;
}

int main (void) {
  pthread_t a, b;
  pthread_create (&a, NULL, work, NULL);
  pthread_create (&b, NULL, work, NULL);
  pthread_join (a, NULL);
  pthread_join (b, NULL);
#ifdef MAIN
  compare (first, second);
#endif
  assert (order != WHO); // @who
}
