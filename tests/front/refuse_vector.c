// Refused by name when it is reached.
// ir: vector type
// run: incomplete
typedef int V __attribute__ ((vector_size (16)));
V a, b;
int main (void) {
  V c = a + b;
  return c[0];
}
