// There are no environment variables, unless some are given.
// assumed: rc11 environment-empty
// assumed[--env=]: rc11 nothing
// assumed[--env=NN=3]: rc11 nothing
// verdict[--env=n=3]: rc11 pass
// finding["--env=A=1 N=3"]: rc11 assert N
// finding[--env=N=3]: mca assert N
#include <assert.h>
#include <stdlib.h>

int main (void) {
  const char *n = getenv ("N");
  assert (!n || atoi (n) < 3); // @N
  return 0;
}
