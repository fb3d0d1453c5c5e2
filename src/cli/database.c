#include "cli/database.h"

#include <errno.h>
#include <stdlib.h>

#include "base/json.h"

bool is_database (const char *path) {
  size_t n = strlen (path);
  return n >= 5 && !strcmp (path + n - 5, ".json");
}

/* ---- flags */

typedef enum FlagUse { FLAG_KEEP, FLAG_PATH, FLAG_DROP } FlagUse;

/* Flags with an argument, which may be joined to them. Of PATH flags it is a path. */
static const struct {
  const char *name;
  FlagUse use;
} with_argument[] = {
    {"-D", FLAG_KEEP},        {"-U", FLAG_KEEP},         {"-I", FLAG_PATH},
    {"-isystem", FLAG_PATH},  {"-iquote", FLAG_PATH},    {"-include", FLAG_PATH},
    {"-imacros", FLAG_PATH},  {"-idirafter", FLAG_PATH}, {"--sysroot", FLAG_PATH},
    {"-isysroot", FLAG_PATH}, {"-x", FLAG_KEEP},         {"-target", FLAG_KEEP},
    {"-o", FLAG_DROP},        {"-MF", FLAG_DROP},        {"-MT", FLAG_DROP},
    {"-MQ", FLAG_DROP},       {"-MJ", FLAG_DROP},        {"-arch", FLAG_DROP},
};

/* Flags without one that say what the source means. The rest is about code, warnings and output. */
static const char *const meaningful[] = {"-std=",           "-ansi",           "-m",
                                         "-pthread",        "-nostdinc",       "-fsigned-char",
                                         "-funsigned-char", "-fshort-enums",   "-fms-extensions",
                                         "-fexceptions",    "-fno-exceptions", "-fno-rtti",
                                         "-fgnu89-inline",  "-fwrapv",         "--target="};

static bool starts_with (const char *text, const char *head) {
  return !strncmp (text, head, strlen (head));
}

static char *absolute (const char *directory, const char *path) {
  Str s = {0};
  if (*path != '/') str_printf (&s, "%s/", directory);
  str_add (&s, path);
  char *real = realpath (s.text, NULL), *copy = mem_strdup (real ? real : s.text);
  free (real);
  str_free (&s);
  return copy;
}

static void keep_with_argument (DatabaseEntry *e, const char *directory, u32 row,
                                const char *argument) {
  bool is_path = with_argument[row].use == FLAG_PATH;
  if (with_argument[row].use == FLAG_DROP) return;
  vec_push (&e->flags, mem_strdup (with_argument[row].name));
  vec_push (&e->flags, is_path ? absolute (directory, argument) : mem_strdup (argument));
}

/* How many words the flag at words[i] takes, having kept it if it matters. */
static u32 keep_flag (DatabaseEntry *e, const char *directory, const Words *words, u32 i) {
  const char *word = words->data[i];
  for (u32 k = 0; k < ARRAY_SIZE (with_argument); k++) {
    const char *name = with_argument[k].name;
    if (!starts_with (word, name)) continue;
    const char *joined = word + strlen (name);
    if (starts_with (name, "--") && *joined == '=') joined++;
    if (*joined) {
      keep_with_argument (e, directory, k, joined);
      return 1;
    }
    if (i + 1 < words->size) keep_with_argument (e, directory, k, words->data[i + 1]);
    return 2;
  }
  for (u32 k = 0; k < ARRAY_SIZE (meaningful); k++)
    if (starts_with (word, meaningful[k])) {
      vec_push (&e->flags, mem_strdup (word));
      break;
    }
  return 1;
}

/* ---- entries */

static bool read_entry (Database *d, const Json *j) {
  const char *file = json_text (j, "file"), *directory = json_text (j, "directory");
  const char *command = json_text (j, "command");
  const Json *arguments = json_get (j, "arguments");
  Words words = {0};
  if (!*file || !*directory || (!*command && (!arguments || arguments->kind != JSON_ARRAY)))
    return false;
  words_split (command, &words);
  for (u32 i = 0; !*command && i < json_size (arguments); i++) {
    const Json *word = json_at (arguments, i);
    vec_push (&words, mem_strdup (word->kind == JSON_STRING ? word->text : ""));
  }
  DatabaseEntry e = {.path = absolute (directory, file)};
  for (u32 i = 1; i < words.size;) i += keep_flag (&e, directory, &words, i);
  words_free (&words);
  vec_push (&d->entries, e);
  return true;
}

void database_read (Database *d, const char *path) {
  size_t size;
  Str error = {0};
  char *text = file_read (path, &size);
  if (!text) die_input ("cannot read %s: %s", path, strerror (errno));
  Json *j = json_read (text, size, &error);
  if (!j) die_input ("%s: %s", path, error.text);
  bool ok = j->kind == JSON_ARRAY;
  for (u32 i = 0; ok && i < json_size (j); i++) ok = read_entry (d, json_at (j, i));
  if (!ok)
    die_input ("%s is no compilation database: a list of objects with `directory`, `file` and "
               "`command` or `arguments` was expected",
               path);
  json_free (j);
  mem_free (text);
}

void database_free (Database *d) {
  for (u32 i = 0; i < d->entries.size; i++) {
    mem_free (d->entries.data[i].path);
    words_free (&d->entries.data[i].flags);
  }
  vec_free (&d->entries);
}

const DatabaseEntry *database_find (const Database *d, const char *path) {
  const DatabaseEntry *found = NULL;
  char *wanted = absolute (".", path);
  for (u32 i = 0; i < d->entries.size && !found; i++)
    if (!strcmp (d->entries.data[i].path, wanted)) found = &d->entries.data[i];
  mem_free (wanted);
  return found;
}
