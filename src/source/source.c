#include "source/source.h"

#include <ctype.h>
#include <unistd.h>

#include "base/json.h"

struct Sources {
  VEC (Source *) files;
};

/* ---- what is code */

/* Where the comment, string or directive ends that begins at `at`. */
static u32 end_of_rest (const char *s, u32 n, u32 at) {
  char first = s[at];
  u32 end = at + 1;
  if (first == '/' && s[end] == '/') {
    while (end < n && s[end] != '\n') end++;
  } else if (first == '/') {
    for (end++; end < n && (s[end - 1] != '*' || s[end] != '/');) end++;
    end++;
  } else if (first == '#') {
    for (; end < n && (s[end] != '\n' || s[end - 1] == '\\'); end++) continue;
  } else {
    for (; end < n && s[end] != first && s[end] != '\n'; end++) end += s[end] == '\\';
    end++;
  }
  return end < n ? end : n;
}

static char *code_of (const char *text, u32 size) {
  char *code = mem_alloc (size + 1);
  bool is_line_start = true;
  memcpy (code, text, size + 1);
  for (u32 i = 0; i < size;) {
    char c = code[i], next = code[i + 1];
    bool begins = (c == '/' && (next == '/' || next == '*')) || c == '"' || c == '\'' ||
                  (c == '#' && is_line_start);
    is_line_start = c == '\n' || (is_line_start && (isspace ((u8)c) || begins));
    u32 end = begins ? end_of_rest (code, size, i) : i + 1;
    for (; i < end; i++)
      if (begins && code[i] != '\n') code[i] = ' ';
  }
  return code;
}

/* ---- files */

Sources *sources_new (void) { return mem_zalloc (sizeof (Sources)); }

void sources_free (Sources *s) {
  if (!s) return;
  for (u32 i = 0; i < s->files.size; i++) {
    Source *f = s->files.data[i];
    mem_free ((char *)(uintptr_t)f->path);
    mem_free ((char *)(uintptr_t)f->text);
    mem_free ((char *)(uintptr_t)f->code);
    vec_free (&f->starts);
    mem_free (f);
  }
  vec_free (&s->files);
  mem_free (s);
}

const Source *source_file (Sources *s, const char *path) {
  static const Source none = {.path = ""};
  size_t size = 0;
  if (!s || !*path) return &none;
  for (u32 i = 0; i < s->files.size; i++)
    if (!strcmp (s->files.data[i]->path, path)) return s->files.data[i];
  Source *f = mem_zalloc (sizeof *f);
  f->path = mem_strdup (path);
  char *text = file_read_regular (path, &size);
  if (text && size < UINT32_MAX) {
    f->text = text;
    f->size = (u32)size;
    f->code = code_of (text, f->size);
    vec_push (&f->starts, 0);
    for (u32 i = 0; i < f->size; i++)
      if (text[i] == '\n') vec_push (&f->starts, i + 1);
  } else {
    mem_free (text);
  }
  vec_push (&s->files, f);
  return f;
}

/* ---- lines */

Span source_line_span (const Source *s, u32 line) {
  u32 start = s->starts.data[line - 1], end = s->size;
  if (line < s->starts.size) end = s->starts.data[line] - 1;
  while (end > start && (s->text[end - 1] == '\r' || s->text[end - 1] == '\n')) end--;
  return (Span){start, end};
}

Source source_of_line (const Source *s, u32 line) {
  if (!line || line > s->starts.size) return (Source){.path = s->path};
  Span a = source_line_span (s, line);
  return (Source){s->path, s->text + a.start, s->code + a.start, a.end - a.start, {0}};
}

const char *source_line (Sources *s, const char *path, u32 line, u32 *length) {
  Source l = source_of_line (source_file (s, path), line);
  *length = l.size;
  return l.text;
}

u32 source_line_at (const Source *s, u32 at) {
  u32 low = 0, high = s->starts.size;
  while (high - low > 1) {
    u32 middle = (low + high) / 2;
    if (s->starts.data[middle] <= at)
      low = middle;
    else
      high = middle;
  }
  return low + 1;
}

u32 source_start_of_line (const Source *s, u32 at) {
  return s->starts.data[source_line_at (s, at) - 1];
}

/* ---- showing */

u32 source_show (Str *out, const char *text, u32 length, u32 at) {
  u32 width = 0;
  for (u32 i = 0; i < length;) {
    u32 n = utf8_length (text + i, length - i);
    if (text[i] == '\t') {
      do {
        str_add (out, " ");
        width++;
      } while ((at + width) % 8);
      i++;
      continue;
    }
    bool printable = n > 1 || (n == 1 && isprint ((u8)text[i]));
    str_add_n (out, printable ? text + i : "?", printable ? n : 1);
    i += n ? n : 1;
    width++;
  }
  return width;
}

/* ---- paths */

const char *source_short_path (const char *path) {
  char here[4096];
  if (path[0] == '/' && getcwd (here, sizeof here)) {
    size_t n = strlen (here);
    if (!strncmp (path, here, n) && path[n] == '/') return path + n + 1;
  }
  while (!strncmp (path, "./", 2)) path += 2;
  return path;
}
