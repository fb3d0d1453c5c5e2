// Structures, arrays and bit-fields in shared memory, handed over by release and acquire.
// expect: rc11 2/0, sc 2/0, tso 2/0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static struct item {
  short kind;
  struct {
    int low, high;
  } range;
  unsigned small : 3, large : 12;
  char name[8];
} item, slot[2];
static atomic_int ready;

static void *producer (void *unused) {
  item.kind = 3;
  item.range.low = -1;
  item.range.high = 1;
  item.small = 5;
  item.large = 4000;
  item.name[0] = 'p';
  item.name[7] = 'q';
  slot[1] = item;
  atomic_store_explicit (&ready, 1, memory_order_release);
  return NULL;
}

static void *consumer (void *unused) {
  if (!atomic_load_explicit (&ready, memory_order_acquire)) return NULL;
  struct item mine = slot[1];
  assert (mine.kind == 3 && mine.range.low == -1 && mine.range.high == 1);
  assert (item.small == 5 && item.large == 4000);
  assert (mine.name[0] == 'p' && mine.name[3] == 0 && mine.name[7] == 'q');
  return NULL;
}

int main (void) {
  pthread_t p, c;
  pthread_create (&p, NULL, producer, NULL);
  pthread_create (&c, NULL, consumer, NULL);
  pthread_join (p, NULL);
  pthread_join (c, NULL);
  return 0;
}
