/* commands.c - the smallest commands, and which function is which command. */
#include "base/plain.h"
#include "cli/commands.h"

#include <errno.h>

#include "cli/help.h"
#include "cli/scope.h"
#include "models/hardware/mapping.h"
#include "models/model.h"

int command_run (const Args *a) {
  static int (*const run[]) (const Args *) = {
#define COMMAND(name, arguments, help) command_##name,
#include "cli/commands.def"
#undef COMMAND
  };
  if (!a->cluster || !a->cluster->rank) args_tell_renamed (a->renamed);
  refuse_without_effect (a);
  return run[a->command](a);
}

bool mapping_load (const char *name, Mapping *m) {
  size_t size;
  MapError error;
  if (mapping_find (name, m)) return true;
  char *text = file_read_regular (name, &size);
  if (!text) {
    const char *near = suggest (name, mapping_name);
    if (near) die_input ("no mapping or file `%s`; did you mean `%s`?", name, near);
    die_input ("cannot read `%s`: %s; `porf mappings` lists those that need no file", name,
               strerror (errno));
  }
  bool ok = mapping_read (m, text, size, &error);
  if (!ok) {
    Str out = {0};
    mapping_say_error (name, text, size, &error, &out);
    plain_lines (&out.text);
    fputs (out.text, stderr);
    str_free (&out);
  }
  mem_free (text);
  return ok;
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
