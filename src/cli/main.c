#include "base/plain.h"
#include "cli/commands.h"

int main (int argc, char **argv) {
  Args args;
  Str error = {0};
  signals_reset ();
  plain_output ();
  if (!args_parse (&args, argc, argv, &error)) die_input ("%s", error.text);
  int code = command_run (&args);
  args_free (&args);
  return code;
}
