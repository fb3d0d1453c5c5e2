// Atomic objects of 16 and 12 bytes are one location each: nobody sees halves of two values. Parts of them may be
// accessed while no other thread does.
// verdict: rc11 pass
// verdict: sc pass
// verdict: tso pass
// verdict[--reduce=none]: rc11 pass
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef struct {
  long a, b;
} Pair;
typedef struct {
  int a, b, c;
} Three;

static _Atomic Pair pair = (Pair){1, -1};
static _Atomic Three three;
static struct holder {
  _Atomic Pair inner;
} *heap;

static void *writer (void *unused) {
  atomic_store_explicit (&pair, ((Pair){2, -2}), memory_order_relaxed);
  atomic_store_explicit (&heap->inner, ((Pair){7, -7}), memory_order_relaxed);
  Three old = atomic_exchange (&three, ((Three){4, 5, 6}));
  assert (old.a + old.b + old.c == 6 || old.a == 6);
  return unused;
}

int main (void) {
  pthread_t t;
  heap = malloc (sizeof *heap);
  atomic_init (&heap->inner, ((Pair){5, -5}));
  atomic_init (&three, ((Three){1, 2, 3}));
  pthread_create (&t, 0, writer, 0);
  Pair p = atomic_load_explicit (&pair, memory_order_relaxed);
  assert (p.a == -p.b);
  Pair q = atomic_load_explicit (&heap->inner, memory_order_relaxed);
  assert (q.a == -q.b && (q.a == 5 || q.a == 7));
  Three x = atomic_load (&three), sum = {x.a + x.b + x.c, 0, 0};
  assert (x.b == x.a + 1 && x.c == x.b + 1);
  if (atomic_compare_exchange_strong (&three, &x, sum)) assert (sum.a == 6 || sum.a == 15);
  if (!atomic_compare_exchange_strong (&pair, &p, ((Pair){3, -3}))) assert (p.a == 2 && p.b == -2);
  pthread_join (t, 0);
  return 0;
}
