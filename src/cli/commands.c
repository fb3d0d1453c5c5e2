/* commands.c - the small commands, and which function is which command. */
#include "cli/commands.h"

#include "models/model.h"

int command_run (const Args *a) {
  static int (*const run[]) (const Args *) = {
#define COMMAND(name, arguments, help) command_##name,
#include "cli/commands.def"
#undef COMMAND
  };
  return run[a->command](a);
}

int command_models (const Args *a) {
  (void)a;
  for (u32 i = 0; model_at (i); i++) {
    const Model *m = model_at (i);
    printf ("%-8s %-60s %s\n", m->name, m->title, m->paper ? m->paper : "");
  }
  return EXIT_PASS;
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
