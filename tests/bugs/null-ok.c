// The twin of null with a test before.
// expect: rc11 1/0
#include <stddef.h>

struct node {
  int key, value;
};

static int value (struct node *n) { return n ? n->value : 0; }

int main (void) {
  struct node n = {1, 0};
  return value (NULL) + value (&n);
}
