// Readers of a read-write lock run in parallel: what both write races. Their order does not matter, only who is before
// the writer.
// expect: rc11 4, sc 4, tso 4, ra 4
// expect[-DREADERS=3]: rc11 8, sc 8, tso 8, ra 8
// finding[-DWRITES]: rc11 race A
// finding[-DWRITES]: sc race A
// finding[-DWRITES]: ra race A
#include <assert.h>
#include <pthread.h>

#ifndef READERS
#define READERS 2
#endif
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static int x, y, hits;

static void *reader (void *unused) {
  pthread_rwlock_rdlock (&l);
  assert (x == y);
#ifdef WRITES
  hits++; // @A
#endif
  pthread_rwlock_unlock (&l);
  return NULL;
}

static void *writer (void *unused) {
  pthread_rwlock_wrlock (&l);
  x++;
  y++;
  pthread_rwlock_unlock (&l);
  return NULL;
}

int main (void) {
  pthread_t t[READERS + 1];
  for (int i = 0; i < READERS; i++) pthread_create (&t[i], NULL, reader, NULL);
  pthread_create (&t[READERS], NULL, writer, NULL);
  for (int i = 0; i <= READERS; i++) pthread_join (t[i], NULL);
  return 0;
}
