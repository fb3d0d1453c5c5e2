// A function that no file defines and whose name begins with nondet_ returns any value of the type that is declared.
// finding[-DTYPE={int,long,char} -DNAME={int,uint,ulong,state}]: rc11 assert A
// finding[-DTYPE={float,double} -DNAME={float,double,int}]: rc11 assert A
// expect[-DTYPE=_Bool -DNAME=int -DBOOL]: rc11 2
// expect[-DTYPE=int -DNAME=bool -DBOOL]: rc11 2
// expect[-DTYPE=double -DNAME=double -DTEN]: rc11 10
// finding[-DTYPE=short -DNAME=int -DSIGN --nondet=-3..3]: rc11 assert S
// verdict[-DTYPE=short -DNAME=uint -DSIGN --nondet=-3..3]: rc11 pass
// verdict[-DPOINTER]: rc11 violation
#include <assert.h>
#ifdef POINTER
struct node { int value; };
struct node *nondet_node (void);
int main (void) { return nondet_node ()->value; }
#else
#define JOIN(a, b) a##b
#define NONDET(name) JOIN (nondet_, name)
TYPE NONDET (NAME) ();

int main (void) {
  TYPE value = NONDET (NAME) ();
#if defined BOOL
  assert (value == 0 || value == 1);
#elif defined SIGN
  assert (value >= 0); // @S
#elif defined TEN
  assert (value >= 0 && value < 10);
#else
  assert (value != 7); // @A
#endif
  return 0;
}
#endif
