#include "session/programs.h"

#include "session/database.h"

bool file_defines_main (const Program *p) {
  i32 at = program_find_function (p, "main");
  return at >= 0 && p->functions.data[at].blocks.size;
}

/* Files that cannot be read and do not end the run: litmus tests, and what stands in a database and
 * was not named. */
static void load (Files *out, const char *path, const DatabaseEntry *entry, const Args *a,
                  double deadline, bool is_in_project, Words *broken) {
  bool is_litmus = load_is_litmus (path);
  Words flags = {0};
  for (u32 i = 0; entry && i < entry->flags.size; i++) vec_push (&flags, entry->flags.data[i]);
  for (u32 i = 0; i < a->cflags.size; i++) vec_push (&flags, a->cflags.data[i]);
  LoadOptions options = {.cflags = flags.data,
                         .ncflags = (int)flags.size,
                         .no_cache = !a->cache,
                         .deadline = deadline,
                         .may_fail = is_in_project || is_litmus};
  File f = {.path = mem_strdup (path), .is_in_project = is_in_project};
  f.program = is_litmus ? load_litmus (path, &options, &f.litmus) : load_file (path, &options);
  vec_free (&flags);
  if (f.program) {
    f.has_main = file_defines_main (f.program);
    vec_push (out, f);
  } else {
    if (is_in_project && !load_is_up (deadline))
      tell_user ("left out, as it cannot be compiled: %s", path);
    litmus_free (&f.litmus);
    vec_push (broken, f.path);
  }
}

static bool is_named (const Files *files, const Database *d, const DatabaseEntry *entry) {
  for (u32 i = 0; i < files->size; i++)
    if (database_find (d, files->data[i].path) == entry) return true;
  return false;
}

bool files_load (const Args *a, double deadline, Files *out, Words *unread, Words *broken) {
  Database database = {0};
  u32 programs = 0;
  for (u32 i = 0; i < a->files.size; i++)
    if (database_is (a->files.data[i])) database_read (&database, a->files.data[i]);
  for (u32 i = 0; i < a->files.size; i++)
    if (!database_is (a->files.data[i]))
      load (out, a->files.data[i], database_find (&database, a->files.data[i]), a, deadline, false,
            unread);
  bool names_program = false;
  for (u32 i = 0; i < out->size; i++) names_program |= out->data[i].has_main;
  for (u32 i = 0; i < database.entries.size; i++) {
    const DatabaseEntry *e = &database.entries.data[i];
    if (database_find (&database, e->path) != e || is_named (out, &database, e)) continue;
    load (out, e->path, e, a, deadline, true, broken);
  }
  for (u32 i = 0; i < out->size; i++) {
    File *f = &out->data[i];
    f->is_program = f->has_main && (!f->is_in_project || !names_program);
    programs += f->is_program;
  }
  database_free (&database);
  if (names_program) words_free (broken); /* what is missing there shows when it is called */
  if (load_is_up (deadline)) return false;
  if (!programs && !unread->size)
    die_input ("%s has no function main",
               out->size == 1 ? out->data[0].path : "none of the files given");
  return true;
}

void files_free (Files *files) {
  for (u32 i = 0; i < files->size; i++) {
    program_free (files->data[i].program);
    litmus_free (&files->data[i].litmus);
    mem_free (files->data[i].path);
  }
  vec_free (files);
}

/* ---- joining */

static bool defines_function (const Program *p, const char *name) {
  i32 at = program_find_function (p, name);
  return at >= 0 && p->functions.data[at].blocks.size &&
         p->functions.data[at].linkage != LINK_LOCAL;
}

static bool defines_global (const Program *p, const char *name) {
  i32 at = program_find_global (p, name);
  return at >= 0 && !p->globals.data[at].is_extern && p->globals.data[at].linkage != LINK_LOCAL;
}

/* Whether `other` defines something that p only declares, as a linker asks of an archive. */
static bool needs (const Program *p, const Program *other) {
  for (u32 i = 0; i < p->functions.size; i++)
    if (!p->functions.data[i].blocks.size && defines_function (other, p->functions.data[i].name))
      return true;
  for (u32 i = 0; i < p->globals.size; i++)
    if (p->globals.data[i].is_extern && defines_global (other, p->globals.data[i].name))
      return true;
  return false;
}

static void join (File *program, const File *f, Str *name) {
  Str clash = {0};
  str_printf (name, " + %s", f->path);
  if (!ir_join (program->program, f->program, &clash))
    die_input ("%s: `%s` is also defined in another file of the program", f->path, clash.text);
}

void file_link (File *program, const Files *files, Str *name) {
  bool *joined = mem_zalloc (files->size * sizeof *joined);
  bool changed = true;
  str_add (name, program->path);
  for (u32 i = 0; i < files->size; i++)
    if (!files->data[i].has_main && !files->data[i].is_in_project)
      join (program, &files->data[i], name);
  while (changed) {
    changed = false;
    for (u32 i = 0; i < files->size; i++) {
      const File *f = &files->data[i];
      if (f->has_main || !f->is_in_project || joined[i]) continue;
      if (!needs (program->program, f->program)) continue;
      join (program, f, name);
      joined[i] = changed = true;
    }
  }
  load_library (program->program, name->text);
  mem_free (joined);
}
