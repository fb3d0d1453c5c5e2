// Indexes that are far outside of an array, or that only come back to it because a multiplication overflows.
// finding[-DWHERE={0..3} -DINDEX={0..11}]: rc11 out-of-bounds far
// expect[-DWHERE={0..3} -DINDEX={20..24}]: rc11 1/0
// finding[-DWHERE={0..3} -DINDEX=12]: rc11 out-of-bounds far
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>

int __VERIFIER_nondet_int (void);

struct item {
  int key, value[2];
};
static struct item global[10], after[100000];
static _Thread_local struct item own[10];
static struct item *volatile far_off = &after[100000000]; /* a constant of the initialiser */
static volatile int zero, most = INT_MAX;
static volatile int64_t long_zero;

static void use (struct item *a, int (*matrix)[5]) {
#if INDEX == 0
  a[1 << 28].key = 1; // @far
#elif INDEX == 1
  a[-(1 << 28)].key = 1; // @far
#elif INDEX == 2
  a[zero + (1 << 30)].key = 1; // @far
#elif INDEX == 3
  a[(int)((unsigned)most + 1)].key = 1; // @far
#elif INDEX == 4
  a[(INT64_C (1) << 62) + long_zero].key = 1; // @far
#elif INDEX == 5
  a[INT64_MIN + long_zero].key = 1; // @far
#elif INDEX == 6
  a[0].value[(INT64_C (1) << 62) + long_zero] = 1; // @far
#elif INDEX == 7
  a[(unsigned)zero - 1].key = 1; // @far
#elif INDEX == 8
  matrix[zero][1 << 29] = 1; // @far
#elif INDEX == 9
  for (int i = 0; i < 300; i++) a += 5000;
  a->key = 1; // @far
#elif INDEX == 10
  far_off->key = 1; // @far
#elif INDEX == 11
  struct item *p = a;
  for (uint64_t step = 1; step < UINT64_C (1) << 40; step *= 2) p += step;
  p->key = 1; // @far
#elif INDEX == 12
  a[(int64_t)__VERIFIER_nondet_int () << 40].value[1] = 1; // @far
#elif INDEX == 20 /* beyond the row, inside of the object */
  matrix[zero][7] = 1;
#elif INDEX == 21
  matrix[zero + 1][-2] = 1;
#elif INDEX == 22
  after[99999 - zero].value[1] = 1;
  struct item *p = after + 100000 + zero;
  p[-100000 + zero].key = 1;
#elif INDEX == 23 /* one past the end is a pointer like others */
  struct item *end = a + 10 + zero;
  for (struct item *p = a; p != end; p++) p->key = 1;
  if (end == global || end == own || end == after) end->key = 2;
#elif INDEX == 24
  char *big = malloc (200000);
  for (long i = 0; i < 200000; i += 40000) big[i] = big[199999 - i] = 1;
  free (big);
#endif
}

int main (void) {
  struct item local[10], *heap = malloc (sizeof local);
  static int global_matrix[2][5];
  use (WHERE == 0   ? global
       : WHERE == 1 ? local
       : WHERE == 2 ? heap
                    : own,
       global_matrix);
  free (heap);
  return 0;
}
