extern void *malloc (unsigned long);
extern int __VERIFIER_nondet_int (void);
int main () {
  int n = __VERIFIER_nondet_int ();
  int *p = malloc (sizeof *p);
  *p = 2147483640 + n;
  return *p != 1;
}
