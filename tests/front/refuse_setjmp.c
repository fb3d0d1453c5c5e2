// Refused by name when it is reached.
// ir: _setjmp
// run: incomplete
#include <setjmp.h>
jmp_buf where;
int main (void) { return setjmp (where); }
