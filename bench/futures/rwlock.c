// A read-write lock as Linux had it: one word, which writers take all of, and give back what they took in vain.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef WRITERS
#define WRITERS 1
#endif
#ifndef READERS
#define READERS 1
#endif
enum { ALL = 0x100000 };

static atomic_int word = ALL;
static int shared;

static void take (int share) {
  while (atomic_fetch_sub_explicit (&word, share, memory_order_acquire) < (share == ALL ? ALL : 1)) {
    atomic_fetch_add_explicit (&word, share, memory_order_relaxed);
    while (atomic_load_explicit (&word, memory_order_relaxed) < (share == ALL ? ALL : 1)) {
    }
  }
}
static void give (int share) { atomic_fetch_add_explicit (&word, share, memory_order_release); }

static void *write (void *arg) {
  take (ALL);
  shared++;
  give (ALL);
  return arg;
}
static void *read (void *arg) {
  take (1);
  int value = shared;
  assert (value >= 0 && value <= WRITERS);
  give (1);
  return arg;
}

int main (void) {
  pthread_t t[WRITERS + READERS];
  for (int i = 0; i < WRITERS + READERS; i++)
    pthread_create (&t[i], NULL, i < WRITERS ? write : read, NULL);
  for (int i = 0; i < WRITERS + READERS; i++) pthread_join (t[i], NULL);
  assert (shared == WRITERS);
}
