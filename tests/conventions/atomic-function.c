// The body of a function named __VERIFIER_atomic_* is an atomic section, also one inside of another, whichever way it
// returns.
// verdict: rc11 pass
// verdict: sc pass
// finding[-DBUG]: rc11 race A|B
// finding[-DBUG]: sc race A|B
#include <assert.h>
#include <pthread.h>

static int x, y;

static int __VERIFIER_atomic_add (int *to, int n) {
  if (n < 0) return 0;
  *to += n; // @A
  return *to;
}
void __VERIFIER_atomic_both (void) {
  __VERIFIER_atomic_add (&x, -1);
  __VERIFIER_atomic_add (&x, 1);
  __VERIFIER_atomic_add (&y, 1);
}
#ifdef BUG
void __VERIFIER_atomic_look (void) {}
#else
void __VERIFIER_atomic_look (void) { assert (x == y); }
#endif

static void *run (void *unused) {
  __VERIFIER_atomic_both ();
#ifdef BUG
  x++; // @B
#endif
  return unused;
}

int main (void) {
  pthread_t t, u;
  pthread_create (&t, 0, run, 0);
  pthread_create (&u, 0, run, 0);
  __VERIFIER_atomic_look ();
  pthread_join (t, 0);
  pthread_join (u, 0);
#ifndef BUG
  assert (x == 2);
#endif
  return 0;
}
