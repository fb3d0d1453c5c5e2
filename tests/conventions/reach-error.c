// To call reach_error is an error, whatever it does.
// finding[-DBODY={,exit(0),__VERIFIER_assume(0)} --no-abort]: rc11 assert A
// finding[-DBODY=abort() -DSTATIC=static --no-abort]: rc11 assert A
// finding[-DBODY=abort()]: rc11 assert A
#ifndef STATIC
#define STATIC
#endif
extern void abort (void), exit (int);
STATIC void reach_error () { BODY; }

int main (void) {
  reach_error (); // @A
  return 0;
}
