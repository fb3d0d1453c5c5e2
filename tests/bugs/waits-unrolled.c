// --unroll bounds loops that make progress. A spin iteration changes nothing and does not count, so a thread that waits
// forever is found with any bound.
// finding: sc liveness wait
// finding: rc11 liveness wait
// finding: imm liveness wait
// finding: jam21 liveness wait
// finding[--unroll={1,3,20}]: sc liveness wait
// finding[--unroll={1,3,20}]: rc11 liveness wait
// finding[--unroll={1,3,20}]: imm liveness wait
// finding[--unroll={1,3,20}]: jam21 liveness wait
// finding[--unroll=3 --reduce=none]: rc11 liveness wait
// finding[--unroll=3 --volatile]: rc11 liveness wait
// finding[--unroll=1 -DPROGRESS]: rc11 liveness wait
#include <stdatomic.h>

static atomic_int x, y;

int main (void) {
#ifdef PROGRESS
  for (int i = 0; i < 1; i++) y++;
#endif
  while (!x); // @wait
}
