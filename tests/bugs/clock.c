// A clock is looked at twice: time has passed in between, or it has not.
// expect: rc11 2
// finding: rc11 assert A
#include <assert.h>
#include <time.h>

int main (void) {
  struct timespec start, now;
  clock_gettime (CLOCK_MONOTONIC, &start);
  clock_gettime (CLOCK_MONOTONIC, &now);
  assert (now.tv_sec >= start.tv_sec);
  assert (now.tv_sec - start.tv_sec < 10); // @A
  return 0;
}
