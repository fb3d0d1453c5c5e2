// Computed goto.
// run: pass
#include <assert.h>

static int run (const unsigned char *code) {
  static const void *const labels[] = {&&stop, &&add, &&twice};
  int value = 1;
  goto *labels[*code++];
add:
  value += *code++;
  goto *labels[*code++];
twice:
  value *= 2;
  goto *labels[*code++];
stop:
  return value;
}

int main (void) {
  const unsigned char code[] = {1, 4, 2, 2, 1, 1, 0};
  assert (run (code) == 21);
  return 0;
}
