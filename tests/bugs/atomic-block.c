// __VERIFIER_atomic_begin and _end make a plain increment indivisible.
// expect: rc11 2, sc 2
#include <assert.h>
#include <pthread.h>

void __VERIFIER_atomic_begin (void);
void __VERIFIER_atomic_end (void);

static int counter;

static void *increment (void *unused) {
  __VERIFIER_atomic_begin ();
  counter++;
  __VERIFIER_atomic_end ();
  return NULL;
}

int main (void) {
  pthread_t t, u;
  pthread_create (&t, NULL, increment, NULL);
  pthread_create (&u, NULL, increment, NULL);
  pthread_join (t, NULL);
  pthread_join (u, NULL);
  assert (counter == 2);
  return 0;
}
