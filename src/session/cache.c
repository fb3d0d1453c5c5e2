#include "session/cache.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAGIC "porf-cache 2\n"

/* ---- where it is */

static bool make_directories (char *path) {
  for (char *slash = strchr (path + 1, '/'); slash; slash = strchr (slash + 1, '/')) {
    *slash = 0;
    int failed = mkdir (path, 0700);
    *slash = '/';
    if (failed && errno != EEXIST) return false;
  }
  return true;
}

static bool is_own (const struct stat *st) { return st->st_uid == geteuid () || !st->st_uid; }

/* Whether no one else can replace files there: in a directory that all may write to, such as /tmp,
 * the sticky bit sees to it. */
static bool is_safe_directory (const char *path) {
  struct stat st;
  if (lstat (path, &st) || (S_ISLNK (st.st_mode) && !is_own (&st))) return false;
  if (stat (path, &st) || !S_ISDIR (st.st_mode)) return false;
  bool is_private = is_own (&st) && !(st.st_mode & (S_IWGRP | S_IWOTH));
  return is_private || (!st.st_uid && st.st_mode & S_ISVTX);
}

char *cache_path (const char *key, const char *suffix) {
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
  size_t directory = s.length;
  str_add (&s, "/");
  bool ok = make_directories (s.text);
  s.text[directory] = 0;
  if (!ok || !is_safe_directory (s.text)) {
    str_free (&s);
    return NULL;
  }
  s.text[directory] = '/';
  str_printf (&s, "%s%s", key, suffix);
  return s.text;
}

/* ---- files in it */

/* What is in a file that only this user can have written. */
static bool read_own (const char *path, Str *out) {
  struct stat st;
  char part[65536];
  ssize_t n = 0;
  int fd = open (path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) return false;
  bool ok = !fstat (fd, &st) && S_ISREG (st.st_mode) && is_own (&st) &&
            !(st.st_mode & (S_IWGRP | S_IWOTH));
  while (ok && (n = read (fd, part, sizeof part)) > 0) str_add_n (out, part, (size_t)n);
  close (fd);
  return ok && n == 0;
}

static bool write_all (int fd, const Str *text) {
  size_t done = 0;
  for (ssize_t n; done < text->length; done += (size_t)n)
    if ((n = write (fd, text->text + done, text->length - done)) <= 0) return false;
  return true;
}

/* mkstemp makes a file that was not there, for this user alone. */
static bool write_own (const char *path, const Str *text) {
  Str draft = {0};
  str_printf (&draft, "%s-XXXXXX", path);
  int fd = mkstemp (draft.text);
  bool ok = fd >= 0 && write_all (fd, text);
  if (fd >= 0) ok = !close (fd) && ok;
  ok = ok && !rename (draft.text, path);
  if (fd >= 0 && !ok) unlink (draft.text);
  str_free (&draft);
  return ok;
}

bool cache_keep_text (const char *path, const Str *text) {
  Str old = {0};
  bool has = read_own (path, &old) && old.length == text->length &&
             !memcmp (old.text, text->text, text->length);
  str_free (&old);
  return has || write_own (path, text);
}

/* ---- entries: the key once more, since others could have moved entries; then a checksum */

static bool read_entry (const Str *text, const char *key, Str *ir) {
  u64 hash, size;
  int used = 0;
  Str head = {0};
  str_printf (&head, "%s%s ", MAGIC, key);
  size_t at = head.length;
  bool ok = text->length > at && !memcmp (text->text, head.text, at) &&
            sscanf (text->text + at, "%" SCNx64 " %" SCNu64 "%n", &hash, &size, &used) == 2 &&
            text->text[at + (size_t)used] == '\n';
  at += (size_t)used + 1;
  ok = ok && size == text->length - at && hash_bytes (text->text + at, size, 2) == hash;
  if (ok) str_add_n (ir, text->text + at, size);
  str_free (&head);
  return ok;
}

bool cache_read (const char *path, const char *key, Str *ir) {
  Str text = {0};
  bool ok = read_own (path, &text) && text.length && read_entry (&text, key, ir);
  str_free (&text);
  return ok;
}

void cache_write (const char *path, const char *key, const Str *ir) {
  Str text = {0};
  str_printf (&text, "%s%s %" PRIx64 " %zu\n", MAGIC, key, hash_bytes (ir->text, ir->length, 2),
              ir->length);
  str_add_n (&text, ir->text, ir->length);
  write_own (path, &text);
  str_free (&text);
}
