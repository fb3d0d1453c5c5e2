/* source.c - lines of source files, read when first needed, and what a column of a line points at.
 */
#include <ctype.h>

#include "report/report_int.h"

typedef struct SourceFile {
  char *path;
  char *text; /* NULL: it cannot be read */
  size_t size;
  VEC (u32) starts; /* byte offset of every line */
} SourceFile;

struct Sources {
  VEC (SourceFile) files;
};

Sources *sources_new (void) { return mem_zalloc (sizeof (Sources)); }

void sources_free (Sources *s) {
  if (!s) return;
  for (u32 i = 0; i < s->files.size; i++) {
    mem_free (s->files.data[i].path);
    mem_free (s->files.data[i].text);
    vec_free (&s->files.data[i].starts);
  }
  vec_free (&s->files);
  mem_free (s);
}

static SourceFile *source_file (Sources *s, const char *path) {
  for (u32 i = 0; i < s->files.size; i++)
    if (!strcmp (s->files.data[i].path, path)) return &s->files.data[i];
  SourceFile f = {.path = mem_strdup (path)};
  f.text = file_read (path, &f.size);
  if (f.text && f.size < UINT32_MAX) {
    vec_push (&f.starts, 0);
    for (u32 i = 0; i < f.size; i++)
      if (f.text[i] == '\n') vec_push (&f.starts, i + 1);
  }
  vec_push (&s->files, f);
  return &vec_last (&s->files);
}

const char *source_line (Sources *s, const char *path, u32 line, u32 *length) {
  if (!s || !*path || !line) return NULL;
  const SourceFile *f = source_file (s, path);
  if (line > f->starts.size) return NULL;
  u32 start = f->starts.data[line - 1], end = (u32)f->size;
  if (line < f->starts.size) end = f->starts.data[line] - 1;
  while (end > start && (f->text[end - 1] == '\r' || f->text[end - 1] == '\n')) end--;
  *length = end - start;
  return f->text + start;
}

/* ---- spans */

static bool is_word (char c) { return isalnum ((u8)c) || c == '_' || (u8)c >= 0x80; }

/* Behind the bracket that closes the one at i, or the end of the line. */
static u32 behind_bracket (const char *s, u32 n, u32 i) {
  u32 depth = 0;
  for (; i < n; i++) {
    if (strchr ("([{", s[i]) && s[i]) depth++;
    if (strchr (")]}", s[i]) && s[i] && --depth == 0) return i + 1;
  }
  return n;
}

static u32 behind_word (const char *s, u32 n, u32 i) {
  while (i < n && is_word (s[i])) i++;
  return i;
}

/* Behind a variable with its members and subscripts, or a call with its arguments: q->head.next[3],
 * f (x). */
static u32 behind_operand (const char *s, u32 n, u32 i) {
  i = s[i] == '(' ? behind_bracket (s, n, i) : behind_word (s, n, i);
  for (;;) {
    u32 k = i;
    while (k < n && s[k] == ' ') k++;
    if (k < n && (s[k] == '(' || s[k] == '['))
      i = behind_bracket (s, n, k);
    else if (i + 1 < n && s[i] == '.' && is_word (s[i + 1]))
      i = behind_word (s, n, i + 1);
    else if (i + 2 < n && s[i] == '-' && s[i + 1] == '>')
      i = behind_word (s, n, i + 2);
    else
      return i;
  }
}

/* Where the left side of an operator at i starts: back to the bracket, comma or semicolon that
 * encloses it. */
static u32 left_side (const char *s, u32 i) {
  u32 depth = 0, k = i;
  while (k > 0) {
    char c = s[k - 1];
    if (c == ')' || c == ']') depth++;
    if (c == '(' || c == '[') {
      if (!depth) break;
      depth--;
    }
    if (!depth && strchr (";,{}?:", c)) break;
    k--;
  }
  while (k < i && s[k] == ' ') k++;
  return k < i && s[k] != '\t' ? k : i;
}

static u32 right_side (const char *s, u32 n, u32 i) {
  while (i < n && !strchr (";,)}]", s[i]))
    i = strchr ("([{", s[i]) ? behind_bracket (s, n, i) : i + 1;
  while (i > 0 && isspace ((u8)s[i - 1])) i--;
  return i;
}

Span source_span (const char *s, u32 n, u32 column) {
  u32 i = column ? column - 1 : 0;
  if (!column || i >= n) { /* the whole line */
    for (i = 0; i < n && isspace ((u8)s[i]);) i++;
    while (n > i && isspace ((u8)s[n - 1])) n--;
    return (Span){i, n};
  }
  if (is_word (s[i]) || s[i] == '(') return (Span){i, behind_operand (s, n, i)};
  bool is_prefix = strchr ("*&!~", s[i]) && i + 1 < n && (is_word (s[i + 1]) || s[i + 1] == '(');
  if (is_prefix && (i == 0 || !is_word (s[i - 1]))) return (Span){i, behind_operand (s, n, i + 1)};
  if (strchr ("=+-*/%&|^<>!", s[i])) return (Span){left_side (s, i), right_side (s, n, i)};
  if (s[i] == '[') { /* a subscript: the column is that of the bracket */
    u32 k = i;
    while (k > 0 && is_word (s[k - 1])) k--;
    return (Span){k, behind_operand (s, n, i)};
  }
  return (Span){i, i + 1};
}

/* ---- showing */

u32 utf8_length (const char *text, size_t size) {
  const u8 *s = (const u8 *)text;
  if (!size) return 0;
  if (s[0] < 0x80) return 1;
  u32 n = s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2;
  if (s[0] < 0xc2 || s[0] > 0xf4 || size < n) return 0;
  for (u32 i = 1; i < n; i++)
    if ((s[i] & 0xc0) != 0x80) return 0;
  /* overlong forms, surrogates, and what lies behind the last code point */
  if (s[0] == 0xe0 && s[1] < 0xa0) return 0;
  if (s[0] == 0xed && s[1] > 0x9f) return 0;
  if (s[0] == 0xf0 && s[1] < 0x90) return 0;
  if (s[0] == 0xf4 && s[1] > 0x8f) return 0;
  return n;
}

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
