// What a function returns survives the end of its shared locals, which is an event.
// verdict: rc11 pass
// verdict: sc pass
// verdict: tso pass
#include <assert.h>
#include <stdatomic.h>

static int add (int k) {
  atomic_int local;
  atomic_init (&local, 0);
  atomic_fetch_add (&local, k);
  int r = atomic_load (&local) + k;
  return r;
}

int main (void) { assert (add (5) == 10); }
