// Assumptions, assertions and choices as CBMC, ESBMC and Dartagnan spell them; `assert` without its header.
// finding[-DCPROVER]: rc11 assert A
// finding[-DESBMC]: rc11 assert B
// finding[-DPLAIN]: rc11 assert C
// verdict[-DLOOPS]: rc11 pass
// unsupported[-DASYNC]: rc11 threads made by a label
// unsupported[-DFENCE]: rc11 fences of single kinds
static volatile int flag = 1;

int main (void) {
#if defined CPROVER
  int x = nondet_int ();
  __CPROVER_assume (x > 3 && x < 5);
  __CPROVER_assert (x != 4, "not four"); // @A
#elif defined ESBMC
  unsigned x = nondet_uint ();
  __ESBMC_assume (x == 5);
  __ESBMC_yield ();
  __ESBMC_assert (x != 5, "not five"); // @B
#elif defined PLAIN
  int x = nondet_int ();
  assert (x != 6); // @C
#elif defined LOOPS
  __VERIFIER_loop_bound (3);
  __VERIFIER_loop_begin ();
  do {
    __VERIFIER_spin_start ();
    __VERIFIER_spin_end (flag);
  } while (!flag);
  __VERIFIER_assert (__VERIFIER_tid () == 0);
#elif defined ASYNC
  if (flag)
  __CPROVER_ASYNC_1:
    flag = 0;
#elif defined FENCE
  __CPROVER_fence ("WWfence", "RRfence");
#endif
  return 0;
}
