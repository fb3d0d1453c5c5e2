// An assertion that fails in a cyclic execution only.
// finding: xmm assert 23
// finding: wkmo2 assert 23
// verdict: rc20 pass
#include <assert.h>
#include "lb.h"

static atomic_int x, y;
static int a, b;

static void *thread1 (void *unused) {
  a = load (&x);
  store (&y, 1);
  return NULL;
}

static void *thread2 (void *unused) {
  b = load (&y);
  store (&x, 1);
  return NULL;
}

int main (void) { RUN (thread1, thread2); assert (!(a && b)); }
