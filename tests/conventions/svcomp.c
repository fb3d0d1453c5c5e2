// As tasks of SV-COMP are written: assumptions that abort, reach_error, exit, preprocessed declarations.
// finding: rc11 assert A
// finding: sc assert A
// verdict[-DFINE]: rc11 pass
// finding[-DABORT]: rc11 abort B
// verdict[-DABORT --no-abort]: rc11 pass
extern void abort (void);
extern void exit (int);
extern void __assert_fail (const char *, const char *, unsigned int, const char *)
    __attribute__ ((__nothrow__, __leaf__)) __attribute__ ((__noreturn__));
void reach_error () { __assert_fail ("0", "svcomp.c", 3, "reach_error"); }
extern int __VERIFIER_nondet_int ();
void assume_abort_if_not (int cond) {
  if (!cond) { abort (); }
}
void __VERIFIER_assert (int cond) {
  if (!cond) { ERROR: { reach_error (); abort (); } } // @A
  return;
}

int main () {
  int n = __VERIFIER_nondet_int ();
  assume_abort_if_not (n > 5);
#ifdef ABORT
  if (n == 6) abort (); // @B
#endif
  if (n == 7) exit (1);
#if defined FINE || defined ABORT
  __VERIFIER_assert (n != 7);
#else
  __VERIFIER_assert (n != 8);
#endif
}
