// Alignments of 64 and more, for blocks and for variables: they end where they were said to end.
// expect: rc11 1/0
// finding[-DBUG=1]: rc11 out-of-bounds A
// finding[-DBUG=2]: rc11 out-of-bounds B
// finding[-DBUG=3]: rc11 invalid-free C
// finding[-DBUG=4]: rc11 out-of-bounds D
#include <assert.h>
#include <errno.h>
#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifndef BUG
#define BUG 0
#endif

int main (void) {
  char *p = aligned_alloc (64, 128);
  void *q = NULL;
  alignas (256) char local[8];
  memset (local, 1, sizeof local);
  assert ((uintptr_t)p % 64 == 0 && (uintptr_t)local % 256 == 0);
  assert (posix_memalign (&q, 3, 100) == EINVAL && !q);
  assert (posix_memalign (&q, 4096, 100) == 0 && (uintptr_t)q % 4096 == 0);
  p[0] = p[127] = 1;
  memset (q, 2, 100);
  if (BUG == 1) p[128] = 1; // @A
  if (BUG == 2) p[-1] = 1; // @B
  if (BUG == 3) free ((char *)q + 16); // @C
  if (BUG == 4) local[8] = 1; // @D
  free (p);
  free (q);
  assert (!calloc (SIZE_MAX / 2, 4));
  return 0;
}
