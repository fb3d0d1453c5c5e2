// A choice that no range bounds is cut, and the verdict says so.
// unsupported: rc11 nondeterministic input
int __VERIFIER_nondet_int (void);

int main (void) { return __VERIFIER_nondet_int () & 0; }
