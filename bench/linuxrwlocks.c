// expect: rc11 216, rc20 216, imm 216, wkmo2 216, xmm 216
//
// linuxrwlocks: two readers and three writers share a counter that starts at BIAS; a reader takes
// one of it, a writer all, and gives it back. Attempts that fail are not repeated, so that every
// complete execution is an order of critical sections: 5! with none that overlap, and, since the
// two readers may, 4 ways for them as a pair among 4!, which is 120 + 96.

#include <assert.h>
#include <stdatomic.h>
#include "threads.h"

void __VERIFIER_assume (int);

enum { BIAS = 0x100000, READERS = 2, WRITERS = 3 };

static atomic_int lock = BIAS;
static int data, copy;

static void take (int n) {
  int left = atomic_fetch_sub_explicit (&lock, n, memory_order_acquire);
  __VERIFIER_assume (n == 1 ? left > 0 : left == BIAS);
}

static void give (int n) { atomic_fetch_add_explicit (&lock, n, memory_order_release); }

static void *reader (void *unused) {
  take (1);
  assert (data == copy);
  give (1);
  return NULL;
}

static void *writer (void *arg) {
  take (BIAS);
  data = copy = number (arg);
  give (BIAS);
  return NULL;
}

int main (void) {
  pthread_t t[READERS + WRITERS];
  for (int i = 0; i < READERS + WRITERS; i++) start (&t[i], i < READERS ? reader : writer, i);
  join (t, READERS + WRITERS);
}
