// main with arguments.
// expect: rc11 1/0
#include <assert.h>

int main (int argc, char **argv) {
  assert (argc >= 1);
  (void)argv;
  return 0;
}
