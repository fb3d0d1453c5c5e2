// Atomic sections can be nested, and need not begin and end in the same function. An end without a beginning is an error.
// verdict[-DTOOL={VERIFIER,CPROVER,ESBMC}]: rc11 pass
// finding[-DTOOL=VERIFIER -DBUG]: rc11 lock-misuse
#include <assert.h>
#include <pthread.h>

#define JOIN(a, b, c) a##b##c
#define NAME(tool, what) JOIN (__, tool, _atomic_##what)

static int x;
static void enter (void) { NAME (TOOL, begin) (); }
static void leave (void) { NAME (TOOL, end) (); }

static void *add (void *unused) {
  enter ();
  int before = x;
  NAME (TOOL, begin) ();
  x++;
  NAME (TOOL, end) ();
  assert (x == before + 1);
  x++;
  leave ();
#ifdef BUG
  leave ();
#endif
  return unused;
}

int main (void) {
  pthread_t t, u;
  pthread_create (&t, 0, add, 0);
  pthread_create (&u, 0, add, 0);
  pthread_join (t, 0);
  pthread_join (u, 0);
  assert (x == 4);
  return 0;
}
