// The environment as main's third argument, and as the variable environ.
// assumed: rc11 argc-one, environment-empty
// assumed[-DVARIABLE]: rc11 environment-empty
// assumed[--env=A=1 --args=]: rc11 nothing
// finding[--env=N=3]: rc11 assert N
// finding[--env=N=3 -DVARIABLE]: rc11 assert N
// finding["--env=A=1 N=3"]: mca assert N
#include <assert.h>
#include <string.h>

#ifdef VARIABLE
extern char **environ;
int main (void) {
  char **envp = environ;
#else
int main (int argc, char **argv, char **envp) {
#endif
  for (char **e = envp; *e; e++) assert (strcmp (*e, "N=3")); // @N
  return 0;
}
