// Refused by name when it is reached.
// ir: long double
// run: incomplete
long double x = 1;
int main (void) { return (int)(x * 2); }
