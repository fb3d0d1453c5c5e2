// N threads put four entries each into a hash table; the first collisions come with N = 12.
// expect[-DN=11]: rc11 1/0, sc 1/0
// expect[-DN=12]: rc11 8/0, wrc11 8/0, sc 8/0
// expect[-DN=13]: rc11 64/0, wrc11 64/0
// expect[-DN=14]: rc11 512/0
#include <pthread.h>
#include <stdatomic.h>

enum { SIZE = 128, ENTRIES = 4 };

static atomic_int table[SIZE];

static void *insert (void *arg) {
  int id = *(int *)arg;
  for (int m = 1; m <= ENTRIES; m++) {
    int w = m * 11 + id, h = w * 7 % SIZE, expected = 0;
    while (!atomic_compare_exchange_strong_explicit (&table[h], &expected, w, memory_order_relaxed,
                                                     memory_order_relaxed)) {
      h = (h + 1) % SIZE;
      expected = 0;
    }
  }
  return NULL;
}

int main (void) {
  pthread_t t[N];
  int id[N];
  for (int i = 0; i < N; i++) {
    id[i] = i;
    pthread_create (&t[i], NULL, insert, &id[i]);
  }
  for (int i = 0; i < N; i++) pthread_join (t[i], NULL);
  return 0;
}
