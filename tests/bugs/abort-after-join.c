// What main does wrong after its last join is found, also when nothing else happens there.
// finding: rc11 abort A
// finding: sc abort A
// finding[-DASSERT]: rc11 assert B
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *nothing (void *arg) { return arg; }

int main (void) {
  pthread_t t;
  void *result;
  pthread_create (&t, NULL, nothing, &t);
  pthread_join (t, &result);
#ifdef ASSERT
  assert (!result); // @B
#else
  abort (); // @A
#endif
}
