// Deadlocks of read-write locks: two locks in opposite order, and a reader that never unlocks. A reader does not wait
// for a writer that itself waits.
// finding[-DABBA]: rc11 deadlock
// finding[-DABBA]: sc deadlock
// finding[-DABBA]: tso deadlock
// finding[-DABBA]: ra deadlock
// finding[-DLOST]: rc11 deadlock W
// finding[-DLOST]: sc deadlock W
// finding[-DLOST]: tso deadlock W
// finding[-DLOST]: ra deadlock W
// finding[-DLOST -DWRITERS=2]: rc11 deadlock W
// finding[-DLOST -DWRITERS=2]: sc deadlock W
// verdict: rc11 pass
// verdict: sc pass
// verdict: tso pass
// verdict: ra pass
// verdict[-DORDERED]: rc11 pass
// verdict[-DORDERED]: sc pass
#include <pthread.h>
#include <stdatomic.h>

#ifndef WRITERS
#define WRITERS 1
#endif
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER, k = PTHREAD_RWLOCK_INITIALIZER;
static atomic_int read_again;

static void *writer (void *unused) {
  pthread_rwlock_wrlock (&l); // @W
#if defined ABBA || defined ORDERED
  pthread_rwlock_wrlock (&k);
  pthread_rwlock_unlock (&k);
#endif
  pthread_rwlock_unlock (&l);
  return NULL;
}

static void *reader (void *unused) {
#ifdef ABBA
  pthread_rwlock_rdlock (&k);
  pthread_rwlock_rdlock (&l);
  pthread_rwlock_unlock (&l);
  pthread_rwlock_unlock (&k);
#elif defined LOST
  pthread_rwlock_rdlock (&l);
#else
  pthread_rwlock_rdlock (&l);
  while (!read_again) continue;
  pthread_rwlock_unlock (&l);
#endif
  return NULL;
}

static void *other_reader (void *unused) {
  pthread_rwlock_rdlock (&l);
  pthread_rwlock_unlock (&l);
  read_again = 1;
  return NULL;
}

int main (void) {
  pthread_t w[WRITERS], r, s;
  pthread_create (&r, NULL, reader, NULL);
  pthread_create (&s, NULL, other_reader, NULL);
  for (int i = 0; i < WRITERS; i++) pthread_create (&w[i], NULL, writer, NULL);
  for (int i = 0; i < WRITERS; i++) pthread_join (w[i], NULL);
  pthread_join (r, NULL);
  pthread_join (s, NULL);
  return 0;
}
