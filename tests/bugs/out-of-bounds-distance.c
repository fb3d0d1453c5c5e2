// From one object to another by the exact distance, whatever both are: of the pointer to the first one nothing but the
// first one can be made. Numbers are another matter.
// finding[-DFROM={0..7} -DTO={0..7} -DHOW=0]: rc11 out-of-bounds far
// finding[-DFROM={0..7} -DTO={0..7} -DHOW=1]: rc11 out-of-bounds far
// finding[-DFROM=0 -DTO={1..7} -DHOW={2..8}]: rc11 out-of-bounds far
// finding[-DFROM={1..7} -DTO=0 -DHOW={2..8}]: rc11 out-of-bounds far
// finding[-DFROM=0 -DTO=2 -DHOW={0..8}]: sc out-of-bounds far
// finding[-DFROM=0 -DTO=2 -DHOW={0..8}]: xmm out-of-bounds far
// verdict[-DFROM={0..7} -DTO=0 -DHOW={10..14}]: rc11 pass
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct row {
  long n;
  int a[4];
};
static int global[4], other[40];
static struct row rows[3];
static _Thread_local int own[4];
static int *volatile first, *volatile second;

static void use (void) {
  int *p = first, *q = second;
  ptrdiff_t n = q - p;
  volatile uintptr_t number = (uintptr_t)p;
#if HOW == 0
  *(p + n) = 1; // @far
#elif HOW == 1
  *(int *)((char *)p + ((char *)q - (char *)p)) = 1; // @far
#elif HOW == 2
  p = p + n / 2;
  p = p + (n - n / 2);
  *p = 1; // @far
#elif HOW == 3
  memset (p + n, 0, 4); // @far
#elif HOW == 4
  int copy;
  memcpy (&copy, p + n, 4); // @far
#elif HOW == 5
  atomic_fetch_add ((atomic_int *)(p + n), 1); // @far
#elif HOW == 6
  pthread_mutex_lock ((pthread_mutex_t *)(p + n)); // @far
#elif HOW == 7
  p = &p[n + 1000];
  p -= 1000;
  assert (*p == *q); // @far
#elif HOW == 8
  struct row *r = (struct row *)(p + n);
  r->n = 1; // @far
#elif HOW == 10 /* by numbers */
  p = (int *)(number + ((uintptr_t)q - number));
  *p = 1;
#elif HOW == 11 /* by xor */
  p = (int *)((number ^ (uintptr_t)q) ^ number);
  *p = 1;
#elif HOW == 12 /* tags above the address, and below */
  p = (int *)(((number | (uintptr_t)7 << 48 | 3) & ~((uintptr_t)0xffff << 48)) - 3);
  *p = 1;
#elif HOW == 13 /* a tag by pointer arithmetic */
  p = (int *)((char *)p + ((uintptr_t)7 << 48));
  p = (int *)((uintptr_t)p & ~((uintptr_t)0xffff << 48));
  *p = 1;
#elif HOW == 14 /* there and back */
  p = p + 1000000;
  p = p - 1000000;
  *p = 1;
  p = p - 100;
  p[100] = 1;
#endif
}

static int *object (int kind, int *local, int *block) {
  switch (kind) {
  case 0:
    return global;
  case 1:
    return other + 10;
  case 2:
    return block;
  case 3:
    return local;
  case 4:
    return own + 2;
  case 5:
    return rows[1].a;
  case 6:
    return block + 40;
  default:
    return local + 8;
  }
}

int main (void) {
  int near[8] = {0}, nearer[16] = {0};
  int *block = calloc (4, 4), *big = calloc (64, 4);
  first = object (FROM, FROM == 7 ? nearer : near, FROM == 6 ? big : block);
  second = object (TO, TO == 3 ? near : nearer, TO == 6 ? big : block);
#if FROM == TO
  second = FROM == 2 || FROM == 6 ? calloc (9, 4) : FROM == 0 || FROM == 1 || FROM == 5 ? own : global;
#endif
  use ();
  free (block);
  free (big);
  return 0;
}
