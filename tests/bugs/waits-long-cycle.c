// A loop that waits and comes back to the state it was in after 768 iterations only.
// finding: mca liveness A
// finding: non-mca liveness A
// verdict[--no-liveness]: mca pass
#include <stdatomic.h>

static atomic_int stop;

int main (void) {
  unsigned char fast = 0, slow = 0;
  for (;;) { // @A
    if (atomic_load (&stop)) return slow; // @A
    if (!++fast) slow = (unsigned char)((slow + 1) % 3);
  }
}
