/* commands.c - the smallest commands, and which function is which command. */
#include "cli/commands.h"

int command_run (const Args *a) {
  static int (*const run[]) (const Args *) = {
#define COMMAND(name, arguments, help) command_##name,
#include "cli/commands.def"
#undef COMMAND
  };
  return run[a->command](a);
}

int command_help (const Args *a) {
  (void)a;
  Str out = {0};
  args_help (&out);
  fputs (out.text, stdout);
  str_free (&out);
  return EXIT_PASS;
}

int command_version (const Args *a) {
  (void)a;
  puts ("porf " PORF_VERSION);
  return EXIT_PASS;
}
