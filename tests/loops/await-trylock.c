// Waits for a lock by trying it.
//
// flags: --engine=auto
// verdict[-DN={2,3} -DOWN={0,1}]: sc,tso,rc11,rc20,ra,imm pass
// finding[-DN={2,3} -DOWN={0,1} -DBUG=1]: sc,tso,rc11,rc20,ra,imm liveness
#include "loops.h"
#ifndef OWN
#define OWN 1
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int word;
static int data;

static bool trylock (void) {
  int free = 0;
  if (!OWN) return pthread_mutex_trylock (&mutex) == 0;
  return atomic_compare_exchange_strong_explicit (&word, &free, 1, ACQUIRE, RELAXED);
}

static void unlock (void) {
  if (OWN)
    atomic_store_explicit (&word, 0, RELEASE);
  else
    pthread_mutex_unlock (&mutex);
}

static void *body (void *unused) {
  while (!trylock ()) {}
  data++;
  if (!BUG) unlock ();
  return 0;
}

int main (void) {
  run (N, body);
  assert (data == N);
  return 0;
}
