// A null pointer is dereferenced.
// finding: rc11 null A
// finding: sc null A
#include <stddef.h>

struct node {
  int key, value;
};

static int value (struct node *n) {
  return n->value; // @A
}

int main (void) { return value (NULL); }
