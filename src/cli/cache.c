#include "cli/cache.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define MAGIC "porf-cache 1\n"

/* File times advance in steps; a file this young may change again without its time showing it. */
enum { TIME_STEP_NS = 20 * 1000 * 1000 };

bool cache_make_directories (char *path) {
  for (char *slash = strchr (path + 1, '/'); slash; slash = strchr (slash + 1, '/')) {
    *slash = 0;
    int failed = mkdir (path, 0777);
    *slash = '/';
    if (failed && errno != EEXIST) return false;
  }
  return true;
}

char *cache_entry_path (u64 key) {
  const char *own = getenv ("PORF_CACHE"), *xdg = getenv ("XDG_CACHE_HOME"),
             *home = getenv ("HOME");
  Str s = {0};
  if (own && *own)
    str_add (&s, own);
  else if (xdg && *xdg)
    str_printf (&s, "%s/porf", xdg);
  else if (home && *home)
    str_printf (&s, "%s/.cache/porf", home);
  else
    return NULL;
  str_printf (&s, "/%016" PRIx64 ".ir", key);
  return s.text;
}

static i64 time_ns (const struct timespec *t) { return (i64)t->tv_sec * 1000000000 + t->tv_nsec; }

static bool hash_file (const char *path, u64 *hash) {
  size_t size;
  char *text = file_read (path, &size);
  if (!text) return false;
  *hash = hash_bytes (text, size, 1);
  mem_free (text);
  return true;
}

/* One line of an entry: content hash, size, time, name. Moves *at past it. */
static bool is_unchanged (char **at, i64 written) {
  u64 hash, size, now;
  i64 time;
  int used = 0;
  char *line = *at, *end = strchr (line, '\n');
  if (!end ||
      sscanf (line, "%" SCNx64 " %" SCNu64 " %" SCNd64 " %n", &hash, &size, &time, &used) < 3 ||
      !used)
    return false;
  *end = 0;
  *at = end + 1;
  struct stat st;
  if (stat (line + used, &st) || (u64)st.st_size != size) return false;
  if (time_ns (&st.st_mtim) == time && time + TIME_STEP_NS < written) return true;
  return hash_file (line + used, &now) && now == hash;
}

static bool read_entry (char *text, size_t length, i64 written, Str *ir) {
  u64 hash, size;
  u32 count;
  int used = 0;
  char *at = text;
  if (strncmp (at, MAGIC, strlen (MAGIC))) return false;
  at += strlen (MAGIC);
  if (sscanf (at, "%" SCNx64 " %" SCNu64 " %u\n%n", &hash, &size, &count, &used) < 3 || !used)
    return false;
  at += used;
  for (u32 i = 0; i < count; i++)
    if (!is_unchanged (&at, written)) return false;
  if (size != length - (size_t)(at - text) || hash_bytes (at, size, 2) != hash) return false;
  str_add_n (ir, at, size);
  return true;
}

bool cache_read (const char *entry, Str *ir) {
  size_t length;
  struct stat st;
  char *text = stat (entry, &st) ? NULL : file_read (entry, &length);
  bool ok = text && read_entry (text, length, time_ns (&st.st_mtim), ir);
  mem_free (text);
  return ok;
}

/* The next name of a make rule, unescaped; NULL at its end. */
static char *next_name (const char **at) {
  const char *s = *at;
  Str name = {0};
  while (*s == ' ' || *s == '\n' || (*s == '\\' && s[1] == '\n')) s += *s == '\\' ? 2 : 1;
  for (; *s && *s != ' ' && *s != '\n'; s++) {
    if (*s == '\\' && s[1] == '\n') break;
    if ((*s == '\\' && (s[1] == ' ' || s[1] == '#' || s[1] == '\\')) || (*s == '$' && s[1] == '$'))
      s++;
    str_add_n (&name, s, 1);
  }
  *at = s;
  return name.text;
}

static bool list_files (const char *deps, Str *out, u32 *count) {
  const char *at = strstr (deps, ": ");
  char *name;
  if (!at) return false;
  for (at += 2; (name = next_name (&at)); mem_free (name)) {
    struct stat st;
    u64 hash;
    if (stat (name, &st) || !hash_file (name, &hash) || strchr (name, '\n')) {
      mem_free (name);
      return false;
    }
    str_printf (out, "%" PRIx64 " %" PRIu64 " %" PRId64 " %s\n", hash, (u64)st.st_size,
                time_ns (&st.st_mtim), name);
    ++*count;
  }
  return *count > 0;
}

static bool write_file (const char *path, const Str *text) {
  FILE *f = fopen (path, "w");
  if (!f) return false;
  bool ok = fwrite (text->text, 1, text->length, f) == text->length;
  return !fclose (f) && ok;
}

void cache_write (const char *entry, const char *deps, const Str *ir) {
  Str files = {0}, text = {0}, path = {0};
  u32 count = 0;
  str_printf (&path, "%s.%d", entry, (int)getpid ());
  if (list_files (deps, &files, &count) && cache_make_directories (path.text)) {
    str_add (&text, MAGIC);
    str_printf (&text, "%" PRIx64 " %zu %u\n", hash_bytes (ir->text, ir->length, 2), ir->length,
                count);
    str_add (&text, files.text);
    str_add_n (&text, ir->text, ir->length);
    if (!write_file (path.text, &text) || rename (path.text, entry)) unlink (path.text);
  }
  str_free (&files);
  str_free (&text);
  str_free (&path);
}
