// Turns that are handed on by a condition variable.
//
// flags: --engine=auto
// verdict[-DN={2,3}]: sc,tso,rc11,rc20,ra,imm pass
// finding[-DN={2,3} -DBUG=1]: sc,tso,rc11,rc20,ra,imm liveness
// slow[-DN={2,3}]: imm
// slow[-DN={2,3} -DBUG=1]: imm
#include "loops.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int next, turn;

static void *body (void *unused) {
  pthread_mutex_lock (&mutex);
  int mine = next++;
  while (turn != mine) pthread_cond_wait (&changed, &mutex);
  turn++;
  if (BUG)
    turn += mine;
  pthread_cond_broadcast (&changed);
  pthread_mutex_unlock (&mutex);
  return 0;
}

static void *guard (void *unused) {
  pthread_mutex_lock (&mutex);
  while (turn != N) pthread_cond_wait (&changed, &mutex);
  pthread_mutex_unlock (&mutex);
  return 0;
}

int main (void) {
  run_beside (N, body, guard);
  assert (turn == N);
  return 0;
}
