// Far outside of a small array, on both sides, where other variables are not far either.
// finding: rc11 out-of-bounds far
// finding[-DBEFORE]: rc11 out-of-bounds far
// finding[-DSTACK]: rc11 out-of-bounds far
#include <pthread.h>

static int before[2], few[2], behind[600];

static void *write (void *arg) {
  *(int *)arg = 1; // @far
  return NULL;
}

int main (void) {
  pthread_t t;
  int local[2] = {0, 0}, other[64] = {0};
#if defined BEFORE
  int *p = few - 100;
#elif defined STACK
  int *p = local + 100;
#else
  int *p = few + 100;
#endif
  pthread_create (&t, NULL, write, p);
  pthread_join (t, NULL);
  return before[0] + behind[0] + local[0] + other[0];
}
