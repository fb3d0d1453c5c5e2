// Recursion without end is cut, and the verdict says so.
// unsupported: rc11 recursion
static int f (int n) { return f (n + 1) + 1; }

int main (void) { return f (0); }
