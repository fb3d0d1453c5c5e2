/* commands.c - the smallest commands, and which function is which command. */
#include "cli/commands.h"

#include "cli/help.h"
#include "session/scope.h"
#include "session/models.h"

int command_run (const Args *a) {
  static int (*const run[]) (const Args *) = {
#define COMMAND(name, arguments, help) command_##name,
#include "session/commands.def"
#undef COMMAND
  };
  if (!a->cluster || !a->cluster->rank) args_tell_renamed (a->renamed);
  args_refuse_without_effect (a);
  return run[a->command](a);
}

int command_mappings (const Args *a) {
  Mapping m;
  Str out = {0};
  for (u32 i = 0; !a->files.size && mapping_name (i); i++) puts (mapping_name (i));
  for (u32 i = 0; i < a->files.size; i++) {
    if (!mapping_load (a->files.data[i], &m)) return EXIT_INPUT;
    mapping_print (&m, &out);
    fputs (out.text, stdout);
    str_clear (&out);
  }
  str_free (&out);
  return EXIT_PASS;
}

int command_help (const Args *a) {
  Str out = {0};
  help_write (a->topic, &out);
  fputs (out.text, stdout);
  str_free (&out);
  return EXIT_PASS;
}

int command_version (const Args *a) {
  (void)a;
  puts ("porf " PORF_VERSION);
  return EXIT_PASS;
}
