// What main is given: by default its name alone.
// assumed: rc11 argc-one
// assumed[--args=]: rc11 nothing
// assumed[--args=a]: rc11 nothing
// finding[--args=-x]: rc11 assert X
// finding[--args=-x]: mca assert X
// finding["--args=a 'b c'"]: rc11 assert TWO
// verdict[-DONLY_NAME]: rc11 pass
// assumed[-DUNUSED]: rc11 nothing
#include <assert.h>
#include <string.h>

#ifdef UNUSED
int main (int argc, char **argv) {
  (void)argc, (void)argv;
  return 0;
}
#else
int main (int argc, char **argv) {
  assert (argv[argc] == NULL && argv[0][0]);
  assert (argc < 2 || strcmp (argv[1], "-x"));                              // @X
  assert (argc < 3 || strcmp (argv[1], "a") || strcmp (argv[2], "b c")); // @TWO
  return 0;
}
#endif
