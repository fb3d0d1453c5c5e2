#include "session/database.h"

#include <errno.h>

#include "base/json.h"
#include "session/flags.h"

bool database_is (const char *path) {
  size_t n = strlen (path);
  return n >= 5 && !strcmp (path + n - 5, ".json");
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
  DatabaseEntry e = {.path = path_absolute (directory, file)};
  for (u32 i = 1; i < words.size;) flag_take (&words, &i, directory, &e.flags);
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
    die_input (
        "%s is not a compilation database: expected a list of objects with `directory`, `file` and "
        "`command` or `arguments`",
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
  char *wanted = path_absolute (".", path);
  for (u32 i = 0; i < d->entries.size && !found; i++)
    if (!strcmp (d->entries.data[i].path, wanted)) found = &d->entries.data[i];
  mem_free (wanted);
  return found;
}
