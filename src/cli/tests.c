#include "cli/tests.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

static bool is_program_file (const char *name) {
  static const char *const ends[] = {".c",   ".i", ".cpp", ".cc", ".cxx",
                                     ".c++", ".C", ".ii",  ".ll", ".ir"};
  size_t n = strlen (name);
  for (u32 i = 0; i < ARRAY_SIZE (ends); i++) {
    size_t k = strlen (ends[i]);
    if (n > k && !strcmp (name + n - k, ends[i])) return true;
  }
  return false;
}

/* ---- one line */

static bool take_expectation (TestRun *run, const char *word) {
  run->kind = -1;
  for (u32 v = 0; v <= VERDICT_INCOMPLETE; v++)
    if (!strcmp (word, verdict_name ((Verdict)v))) {
      run->verdict = (u8)v;
      return true;
    }
  for (u32 k = 0; k < FINDING_KINDS; k++)
    if (!strcmp (word, finding_kind_name ((FindingKind)k))) {
      run->verdict = VERDICT_VIOLATION;
      run->kind = (i32)k;
      return true;
    }
  return false;
}

char *test_file_beside (const char *path, const char *file) {
  Str s = {0};
  const char *slash = strrchr (path, '/');
  if (slash && *file != '/') str_add_n (&s, path, (size_t)(slash + 1 - path));
  str_add (&s, file);
  return s.text;
}

static void add_run (TestRuns *out, const char *path, const char *line, const char *end) {
  TestRun run = {
      .path = mem_strdup (path), .kind = -1, .verdict = VERDICT_PASS, .decisive = UINT32_MAX};
  Str text = {0};
  while (line < end && strchr (" \t", *line)) line++;
  while (line < end && strchr (" \t\r", end[-1])) end--;
  str_add (&text, "");
  str_add_n (&text, line, (size_t)(end - line));
  run.line = text.text;
  words_split (text.text, &run.words);
  if (run.words.size && take_expectation (&run, run.words.data[0])) {
    run.expected = run.words.data[0];
    memmove (run.words.data, run.words.data + 1, --run.words.size * sizeof (char *));
  } else {
    run.expected = mem_strdup (verdict_name (VERDICT_PASS));
  }
  for (u32 i = 0; i < run.words.size && strcmp (run.words.data[i], "--"); i++)
    if (run.words.data[i][0] != '-' && is_program_file (run.words.data[i])) {
      char *file = test_file_beside (path, run.words.data[i]);
      mem_free (run.words.data[i]);
      run.words.data[i] = file;
    }
  vec_push (out, run);
}

/* ---- one file */

/* What a line of a comment says, or NULL if it is none. */
static const char *comment_text (const char *line, const char *end, bool *in_block) {
  while (line < end && strchr (" \t", *line)) line++;
  if (*in_block) {
    if (line < end && *line == '*' && line + 1 < end && line[1] != '/') line++;
  } else if (end - line >= 2 && line[0] == '/' && line[1] == '*') {
    *in_block = true;
    line += 2;
    if (line < end && *line == '!') line++;
  } else if (end - line >= 2 && line[0] == '/' && line[1] == '/') {
    line += 2;
    while (line < end && strchr ("/!<", *line)) line++;
  } else if (line < end && strchr (";#", *line)) { /* comments of .ll and .ir; includes */
    line++;
  } else if (line < end) {
    return NULL;
  }
  while (line < end && strchr (" \t*", *line)) line++;
  return line;
}

static void find_in_file (const char *path, TestRuns *out) {
  static const char mark[] = "\xef\xbb\xbf"; /* that it is UTF-8 */
  size_t size;
  bool in_block = false;
  char *text = file_read_regular (path, &size);
  if (!text) die_input ("cannot read %s: %s", path, strerror (errno));
  const char *at = text, *stop_at = text + size;
  if (!strncmp (at, mark, strlen (mark))) at += strlen (mark);
  while (at < stop_at) {
    const char *end = memchr (at, '\n', (size_t)(stop_at - at));
    if (!end) end = stop_at;
    const char *said = comment_text (at, end, &in_block);
    if (!said) break;
    const char *close = in_block ? memmem (said, (size_t)(end - said), "*/", 2) : NULL;
    const char *stop = close ? close : end;
    if (stop - said >= 5 && !strncmp (said, "porf:", 5)) add_run (out, path, said + 5, stop);
    if (close) in_block = false;
    at = end + 1;
  }
  mem_free (text);
}

/* ---- directories */

static int is_wanted (const struct dirent *d) { return d->d_name[0] != '.'; }

typedef struct Search {
  VEC (struct stat) seen; /* directories: a link can lead to one of them again */
  TestRuns *out;
} Search;

static bool was_seen (Search *s, const struct stat *st) {
  for (u32 i = 0; i < s->seen.size; i++)
    if (s->seen.data[i].st_dev == st->st_dev && s->seen.data[i].st_ino == st->st_ino) return true;
  vec_push (&s->seen, *st);
  return false;
}

static void find_below (Search *s, const char *path);

/* Links are followed. Whatever may be a test and cannot be read is an error, not nothing. */
static void find_at (Search *s, const char *path) {
  struct stat st;
  bool is_named_so = is_program_file (path), exists = !stat (path, &st);
  if (!exists && errno == ENOENT && !is_named_so) return; /* a link to nothing, as editors leave */
  if (!exists) die_input ("cannot read %s: %s", path, strerror (errno));
  if (S_ISDIR (st.st_mode)) {
    if (!was_seen (s, &st)) find_below (s, path);
  } else if (is_named_so) {
    if (!S_ISREG (st.st_mode)) die_input ("cannot read %s: it is not a regular file", path);
    find_in_file (path, s->out);
  }
}

static void find_below (Search *s, const char *path) {
  struct dirent **entries;
  int n = scandir (path, &entries, is_wanted, alphasort);
  if (n < 0) die_input ("cannot read %s: %s", path, strerror (errno));
  for (int i = 0; i < n; i++) {
    Str child = {0};
    if (strcmp (path, ".")) str_printf (&child, "%s/", strcmp (path, "/") ? path : "");
    str_add (&child, entries[i]->d_name);
    find_at (s, child.text);
    str_free (&child);
    free (entries[i]);
  }
  free (entries);
}

void tests_find (const char *path, TestRuns *out) {
  struct stat st;
  u32 before = out->size;
  if (stat (path, &st)) die_input ("cannot read %s: %s", path, strerror (errno));
  if (S_ISDIR (st.st_mode)) {
    Search s = {.out = out};
    char *clean = mem_strdup (path);
    for (size_t n = strlen (clean); n > 1 && clean[n - 1] == '/'; n--) clean[n - 1] = 0;
    was_seen (&s, &st);
    find_below (&s, clean);
    mem_free (clean);
    vec_free (&s.seen);
  } else {
    find_in_file (path, out);
  }
  if (out->size == before)
    die_input (S_ISDIR (st.st_mode) ? "no file below %s has a `// porf:` header"
                                    : "%s has no `// porf:` header",
               path);
}

void tests_free (TestRuns *runs) {
  for (u32 i = 0; i < runs->size; i++) {
    TestRun *run = &runs->data[i];
    mem_free (run->path);
    mem_free (run->line);
    mem_free (run->expected);
    mem_free (run->program);
    words_free (&run->words);
  }
  vec_free (runs);
}

Verdict test_answer (const TestRun *run, Verdict verdict, u32 kinds, u32 assumed) {
  bool is_other = verdict == VERDICT_VIOLATION && !(kinds & run->decisive);
  bool is_doubted = verdict == VERDICT_PASS && (run->is_open || assumed & run->doubts);
  return is_other || is_doubted ? VERDICT_INCOMPLETE : verdict;
}

const char *test_judge (const TestRun *run, Verdict verdict, u32 kinds) {
  bool fits = verdict == (Verdict)run->verdict && (run->kind < 0 || kinds >> run->kind & 1);
  return fits ? NULL : run->expected;
}
