// A read past the end of a global array.
// finding: rc11 out-of-bounds A
static int a[4];

static int get (int i) {
  return a[i]; // @A
}

int main (void) { return get (4) & 0; }
