// The names of verification tools can be declared in any way, or not at all.
// finding: rc11 assert A
// finding[-DINT]: rc11 assert A
// finding[-DBOOL]: rc11 assert A
// finding[-DOLD]: rc11 assert A
// finding[-DMACRO]: rc11 assert A
#if defined INT
extern void __VERIFIER_assume (int);
extern void __VERIFIER_assert (int);
extern int __VERIFIER_nondet_bool (void);
extern unsigned __VERIFIER_nondet_int (void);
#elif defined BOOL
#include <stdbool.h>
extern void __VERIFIER_assume (bool);
extern bool __VERIFIER_assert (bool), __VERIFIER_nondet_bool ();
extern long __VERIFIER_nondet_int (void) __attribute__ ((nothrow));
#elif defined OLD
extern void __VERIFIER_assume (), __VERIFIER_assert ();
extern char __VERIFIER_nondet_bool ();
extern int __VERIFIER_nondet_int ();
#elif defined MACRO
#define __VERIFIER_assume(x) if (!(x)) return 0
#endif

int main (void) {
  int b = __VERIFIER_nondet_bool ();
  __VERIFIER_assume (b);
  __VERIFIER_assume (__VERIFIER_nondet_int () > 7);
  __VERIFIER_assert (b == 2); // @A
  return 0;
}
