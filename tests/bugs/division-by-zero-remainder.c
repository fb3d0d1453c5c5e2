// The remainder of a division by zero.
// finding: rc11 division-by-zero A
static unsigned rest (unsigned a, unsigned b) {
  return a % b; // @A
}

int main (void) { return (int)rest (7, 0); }
