// Waits for a flag, at first by polling it, then by sleeping on a condition variable.
//
// flags: --engine=auto
// verdict[-DN={2,3}]: sc,tso,rc11,rc20,ra,imm pass
// finding[-DN={2,3} -DBUG=1]: sc,tso,rc11,rc20,ra,imm liveness
#include "loops.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static atomic_int ready;
static int data;

static void *waiter (void *unused) {
  for (int i = 0; i < 3; i++)
    if (atomic_load_explicit (&ready, ACQUIRE)) goto done;
  pthread_mutex_lock (&mutex);
  while (!atomic_load_explicit (&ready, ACQUIRE)) pthread_cond_wait (&changed, &mutex);
  pthread_mutex_unlock (&mutex);
done:
  assert (data == 1);
  return 0;
}

static void *setter (void *unused) {
  data = 1;
  if (!BUG) pthread_mutex_lock (&mutex);
  atomic_store_explicit (&ready, 1, RELEASE);
  pthread_cond_broadcast (&changed);
  if (!BUG) pthread_mutex_unlock (&mutex);
  return 0;
}

int main (void) {
  run_beside (N - 1, waiter, setter);
  return 0;
}
