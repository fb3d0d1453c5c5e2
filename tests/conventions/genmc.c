// Programs written for GenMC: threads, annotations, hazard pointers (refused).
// expect: rc11 4
// finding[-DBUG]: rc11 assert A
// unsupported[-DHAZARD]: rc11 hazard pointers
#include <genmc.h>
#include <assert.h>
#include <stdatomic.h>

static atomic_int x, y;

static void *run (void *unused) {
  int zero = 0;
  __VERIFIER_final_CAS (0, 1);
  int done = __VERIFIER_final_CAS (atomic_compare_exchange_strong (&y, &zero, 1));
  __VERIFIER_local_write (atomic_store (&x, done));
#ifdef BUG
  __VERIFIER_optional (assert (x == 1)); // @A
#endif
  return &x;
}

int main (void) {
  __VERIFIER_thread_t t = __VERIFIER_spawn (run, 0);
  __VERIFIER_thread_t u = __VERIFIER_spawn_symmetric (run, 0, t);
#ifdef HAZARD
  __VERIFIER_hp_t hp = __VERIFIER_hp_alloc ();
  __VERIFIER_hp_free (&hp);
#endif
  assert (__VERIFIER_join (t) == &x);
  __VERIFIER_join_symmetric (u);
  return 0;
}
