// Barriers whose serial thread has something to do.
//
// flags: --engine=auto
// verdict[-DN={2,3} -DROUNDS={1..3}]: sc,tso,rc11,rc20,ra,imm pass
// verdict[-DN={2,3} -DBUG=1]: sc,tso,rc11,rc20,ra,imm violation
// slow[-DN={2,3} -DROUNDS=3]: imm
// slow[-DN=3 -DROUNDS=2]: imm
#include "loops.h"
#ifndef ROUNDS
#define ROUNDS 2
#endif

static pthread_barrier_t barrier;
static int data;

static void *body (void *unused) {
  for (int i = 0; i < ROUNDS; i++) {
    int is_serial = pthread_barrier_wait (&barrier) == PTHREAD_BARRIER_SERIAL_THREAD;
    if (is_serial || BUG) data++;
    pthread_barrier_wait (&barrier);
    assert (data == i + 1);
  }
  return 0;
}

int main (void) {
  pthread_barrier_init (&barrier, 0, N);
  run (N, body);
  return 0;
}
