#include "session/recompile.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#include "session/database.h"
#include "session/programs.h"
#include "session/words.h"

IrOptions recompile_ir_options (const Args *a) {
  return (IrOptions){.find_spin_loops = true,
                     .spurious = a->spurious,
                     .words = {.is_given = a->words.is_given,
                               .list = a->words.list.data,
                               .size = a->words.list.size},
                     .environment = {.is_given = a->environment.is_given,
                                     .list = a->environment.list.data,
                                     .size = a->environment.list.size},
                     .volatile_is_atomic = a->volatile_is_atomic,
                     .find_overflow = a->overflow,
                     .abort_ends = !a->aborts};
}

/* The compiler finds the text in memory whenever it opens the file; all names stay. */
static void add_flags (const Args *a, const char *path, int memory, Words *flags, Str *remap) {
  static const char *const fixed[] = {"-Wall",
                                      "-fno-caret-diagnostics",
                                      "-fno-color-diagnostics",
                                      "-ferror-limit=0",
                                      "-Xclang",
                                      "-remap-file",
                                      "-Xclang"};
  for (u32 i = 0; i < a->cflags.size; i++) vec_push (flags, a->cflags.data[i]);
  for (u32 i = 0; i < ARRAY_SIZE (fixed); i++) vec_push (flags, (char *)(uintptr_t)fixed[i]);
  str_printf (remap, "%s;/dev/fd/%d", path, memory);
  vec_push (flags, remap->text);
}

bool recompile_is_possible (const Check *c) {
  for (u32 i = 0; i < c->args->files.size; i++)
    if (database_is (c->args->files.data[i]) || !load_is_source (c->args->files.data[i]))
      return false;
  return true;
}

static Program *load_all (const Check *c, const LoadOptions *o) {
  Str clash = {0};
  Program *p = load_file (c->path, o);
  for (u32 i = 0; p && i < c->args->files.size; i++) {
    const char *path = c->args->files.data[i];
    Program *other = strcmp (path, c->path) ? load_file (path, o) : NULL;
    bool ok = !other || file_defines_main (other) || ir_join (p, other, &clash);
    program_free (other);
    if (ok && (other || !strcmp (path, c->path))) continue;
    program_free (p);
    p = NULL;
  }
  str_free (&clash);
  if (p) load_library (p, c->path);
  return p;
}

static Program *recompile (void *check, const char *path, const Str *text, Str *said) {
  const Check *c = check;
  Words flags = {0};
  Str remap = {0};
  Program *p = NULL;
  bool is_flag_file = *path == '@'; /* to clang, whose parts hand the name to each other */
  int memory = recompile_is_possible (c) && !is_flag_file ? memfd_create ("porf-text", 0) : -1;
  if (memory >= 0 && write (memory, text->text, text->length) == (ssize_t)text->length) {
    add_flags (c->args, path, memory, &flags, &remap);
    p = load_all (c, &(LoadOptions){.cflags = flags.data,
                                    .ncflags = (int)flags.size,
                                    .no_cache = true,
                                    .may_fail = true,
                                    .deadline = c->deadline,
                                    .said = said});
  }
  if (memory >= 0) close (memory);
  str_free (&remap);
  vec_free (&flags);
  return p;
}

Recompiler recompile_check (const Check *c) {
  return (Recompiler){
      .compile = recompile, .ir = recompile_ir_options (c->args), .arg = (void *)(uintptr_t)c};
}
