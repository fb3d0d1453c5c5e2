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
  f.text = file_read_regular (path, &f.size);
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

static bool word_ends_at (const char *s, u32 i, const char *word) {
  u32 n = (u32)strlen (word);
  return i >= n && !memcmp (s + i - n, word, n) && (i == n || !is_word (s[i - n - 1]));
}

static bool any_word_ends_at (const char *s, u32 i, const char *const *words) {
  while (i > 0 && s[i - 1] == ' ') i--;
  for (; *words; words++)
    if (word_ends_at (s, i, *words)) return true;
  return false;
}

/* The bracket that the one in front of i closes, or i. */
static u32 opening_bracket (const char *s, u32 i) {
  u32 depth = 0;
  for (u32 k = i; k > 0; k--) {
    if (strchr (")]", s[k - 1])) depth++;
    if (strchr ("([", s[k - 1]) && --depth == 0) return k - 1;
  }
  return i;
}

/* Where the left side of an operator at i starts: back to the bracket, comma or semicolon that
 * encloses it, to `return`, to the head of an `if` or loop; operands of arithmetic also end at an
 * assignment. */
static u32 left_side (const char *s, u32 i, bool is_assignment) {
  static const char *const heads[] = {"for", "if", "while", "switch", NULL};
  static const char *const starts[] = {"return", "else", "do", "case", NULL};
  u32 k = i;
  while (k > 0) {
    char c = s[k - 1];
    if (c == ')' || c == ']') {
      u32 open = opening_bracket (s, k);
      if (open == k || (c == ')' && any_word_ends_at (s, open, heads))) break;
      k = open;
      continue;
    }
    if (strchr ("([;,{}?:", c) || (!is_assignment && strchr ("=|&<>!", c))) break;
    if (c == ' ' && k < i && any_word_ends_at (s, k, starts)) break;
    k--;
  }
  while (k < i && s[k] == ' ') k++;
  return k < i && s[k] != '\t' ? k : i;
}

/* Back from a member to the variable it belongs to: from the `next` of q->head[1].next to q. */
static u32 member_start (const char *s, u32 i) {
  for (;;) {
    u32 k = i;
    if (k >= 1 && s[k - 1] == '.')
      k -= 1;
    else if (k >= 2 && s[k - 1] == '>' && s[k - 2] == '-')
      k -= 2;
    else
      return i;
    while (k > 0 && strchr (")]", s[k - 1]) && opening_bracket (s, k) != k)
      k = opening_bracket (s, k);
    while (k > 0 && is_word (s[k - 1])) k--;
    i = k;
  }
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
  if (is_word (s[i]) || s[i] == '(')
    return (Span){is_word (s[i]) ? member_start (s, i) : i, behind_operand (s, n, i)};
  bool is_prefix = strchr ("*&!~", s[i]) && i + 1 < n && (is_word (s[i + 1]) || s[i + 1] == '(');
  if (is_prefix && (i == 0 || !is_word (s[i - 1]))) return (Span){i, behind_operand (s, n, i + 1)};
  if (strchr ("=+-*/%&|^<>!", s[i])) {
    bool is_step = i + 1 < n && (s[i] == '+' || s[i] == '-') && s[i + 1] == s[i];
    bool is_assignment = s[i] == '=' || (i + 1 < n && s[i + 1] == '=') ||
                         (i + 2 < n && s[i + 1] == s[i] && s[i + 2] == '=');
    u32 left = left_side (s, i, is_assignment || is_step);
    if (is_step && left < i) return (Span){left, i + 2};
    return (Span){left, right_side (s, n, i)};
  }
  if (s[i] == '[') { /* a subscript: the column is that of the bracket */
    u32 k = i;
    while (k > 0 && is_word (s[k - 1])) k--;
    return (Span){member_start (s, k), behind_operand (s, n, i)};
  }
  return (Span){i, i + 1};
}

/* ---- operands */

/* Library functions whose first argument is a pointer to what they access. */
static bool takes_pointer (const char *s, u32 n) {
  static const char *const names[] = {"atomic_",  "__atomic_", "__sync_", "__c11_atomic_",
                                      "pthread_", "free",      "realloc", "mtx_",
                                      "sem_",     NULL};
  for (u32 i = 0; names[i]; i++)
    if (n >= strlen (names[i]) && !memcmp (s, names[i], strlen (names[i]))) return true;
  return false;
}

/* "&n->next" is n->next, "p" is *p; casts are left out. `free (p)` means p itself. */
static void add_pointee (const char *s, Span a, bool is_pointer, Str *out) {
  while (a.start < a.end && s[a.start] == '(') {
    u32 behind = behind_bracket (s, a.end, a.start);
    if (behind >= a.end) break;
    a.start = behind;
    while (a.start < a.end && s[a.start] == ' ') a.start++;
  }
  if (a.start < a.end && s[a.start] == '&')
    a.start++;
  else if (!is_pointer)
    str_add (out, "*");
  str_add_n (out, s + a.start, a.end - a.start);
}

static Span trimmed (const char *s, Span a) {
  while (a.start < a.end && isspace ((u8)s[a.start])) a.start++;
  while (a.end > a.start && isspace ((u8)s[a.end - 1])) a.end--;
  return a;
}

/* The left side of the assignment that the span is, if it is one. */
static Span assigned (const char *s, Span a) {
  for (u32 i = a.start; i < a.end; i++) {
    if (strchr ("([{", s[i])) {
      i = behind_bracket (s, a.end, i) - 1;
      continue;
    }
    if (s[i] != '=' || i == a.start) continue;
    if ((i + 1 < a.end && s[i + 1] == '=') || strchr ("=!", s[i - 1])) break;
    a.end = i;
    while (a.end > a.start && strchr ("+-*/%&|^<>", s[a.end - 1])) a.end--;
    break;
  }
  return trimmed (s, a);
}

static bool is_simple (const char *s, size_t n) {
  enum { LONGEST = 40 };
  for (size_t i = 0; i < n; i++)
    if (!is_word (s[i]) && !strchr (".->[]*()+% ", s[i])) return false;
  return n > 0 && n <= LONGEST;
}

bool source_operand (const char *s, u32 n, u32 column, Str *out) {
  size_t before = out->length;
  Span a = assigned (s, source_span (s, n, column));
  if (a.end - a.start > 2 && (!memcmp (s + a.start, "++", 2) || !memcmp (s + a.start, "--", 2)))
    a.start += 2;
  if (a.end - a.start > 2 && (!memcmp (s + a.end - 2, "++", 2) || !memcmp (s + a.end - 2, "--", 2)))
    a.end -= 2;
  a = trimmed (s, a);
  u32 word = behind_word (s, a.end, a.start), open = word;
  while (open < a.end && s[open] == ' ') open++;
  if (word > a.start && open < a.end && s[open] == '(') { /* a call */
    if (!takes_pointer (s + a.start, word - a.start)) return false;
    u32 end = open + 1;
    while (end < a.end && s[end] != ',' && s[end] != ')')
      end = strchr ("([", s[end]) ? behind_bracket (s, a.end, end) : end + 1;
    bool is_pointer = !memcmp (s + a.start, "free", 4) || !memcmp (s + a.start, "realloc", 7);
    add_pointee (s, trimmed (s, (Span){open + 1, end}), is_pointer, out);
  } else {
    if (word > a.start && open > word && open < a.end && (is_word (s[open]) || s[open] == '*')) {
      while (a.end > a.start && !is_word (s[a.end - 1])) a.end--; /* a declaration: its last word */
      u32 k = a.end;
      while (k > a.start && is_word (s[k - 1])) k--;
      a.start = k;
    }
    str_add_n (out, s + a.start, a.end - a.start);
  }
  if (out->length > before && is_simple (out->text + before, out->length - before)) return true;
  out->length = before;
  if (out->text) out->text[before] = 0;
  return false;
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
