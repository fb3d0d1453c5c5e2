#include "base/yaml.h"

enum { MOST_DEPTH = 32 };

typedef struct Line {
  u32 number, indent;
  char *text; /* without indentation, comment and spaces at the end */
} Line;

typedef struct Reader {
  VEC (Line) lines;
  u32 at, depth;
  Str *error;
} Reader;

static void fail (Reader *r, u32 line, const char *what) {
  if (!r->error->length) str_printf (r->error, "line %u: %s", line, what);
}

static void skip_spaces (const char **at) {
  while (**at == ' ') ++*at;
}

/* ---- lines */

/* Where a comment begins, or the text ends. Quotes hide the sign. */
static size_t length_without_comment (const char *text) {
  char quote = 0;
  size_t n = 0;
  for (; text[n]; n++) {
    if (quote) {
      bool is_escaped = text[n] == (quote == '"' ? '\\' : quote) && text[n + 1] &&
                        (quote == '"' || text[n + 1] == quote);
      if (is_escaped)
        n++;
      else if (text[n] == quote)
        quote = 0;
    } else if ((text[n] == '\'' || text[n] == '"') && (!n || strchr (" [,", text[n - 1]))) {
      quote = text[n];
    } else if (text[n] == '#' && (!n || text[n - 1] == ' ')) {
      break;
    }
  }
  while (n && strchr (" \r", text[n - 1])) n--;
  return n;
}

static void add_line (Reader *r, const char *start, size_t size, u32 number) {
  Str whole = {0}, text = {0};
  str_add (&text, "");
  str_add (&whole, "");
  str_add_n (&whole, start, size);
  u32 indent = (u32)strspn (whole.text, " ");
  const char *rest = whole.text + indent;
  if (strlen (whole.text) != size || strchr (rest, '\t')) fail (r, number, "a tab or a null byte");
  str_add_n (&text, rest, length_without_comment (rest));
  str_free (&whole);
  bool is_start = !indent && !strcmp (text.text, "---") && !r->lines.size;
  if (text.length && !is_start)
    vec_push (&r->lines, ((Line){number, indent, text.text}));
  else
    str_free (&text);
}

static void split_lines (Reader *r, const char *text, size_t size) {
  u32 number = 1;
  for (size_t at = 0; at < size; number++) {
    const char *end = memchr (text + at, '\n', size - at);
    size_t length = end ? (size_t)(end - text) - at : size - at;
    add_line (r, text + at, length, number);
    at += length + 1;
  }
}

/* ---- scalars */

static Json *scalar (const char *text, size_t size) {
  Json *holder = json_array ();
  Str s = {0};
  str_add (&s, "");
  str_add_n (&s, text, size);
  json_add_text (holder, s.text);
  str_free (&s);
  Json *j = holder->items.data[0];
  holder->items.size = 0;
  json_free (holder);
  return j;
}

/* 'it''s', "a \"b\"": other escapes are refused. */
static Json *read_quoted (Reader *r, u32 line, const char **at) {
  char quote = *(*at)++;
  Str s = {0};
  str_add (&s, "");
  for (; **at; ++*at) {
    bool is_double = quote == '\'' && (*at)[0] == quote && (*at)[1] == quote;
    bool is_escape = quote == '"' && **at == '\\';
    if (is_escape && !strchr ("\"\\/", (*at)[1])) fail (r, line, "an escape that is not read here");
    if (is_double || (is_escape && (*at)[1]))
      ++*at;
    else if (**at == quote)
      break;
    str_add_n (&s, *at, 1);
  }
  if (**at)
    ++*at;
  else
    fail (r, line, "a quote is not closed");
  Json *j = scalar (s.text, s.length);
  str_free (&s);
  return j;
}

static Json *read_scalar (Reader *r, u32 line, const char **at, const char *ends) {
  if (**at == '\'' || **at == '"') return read_quoted (r, line, at);
  if (**at && strchr ("&*!|>{}%@`?", **at)) fail (r, line, "something that is not read here");
  const char *start = *at;
  *at += strcspn (start, ends);
  size_t size = (size_t)(*at - start);
  while (size && start[size - 1] == ' ') size--;
  return scalar (start, size);
}

/* [a, 'b'] */
static Json *read_brackets (Reader *r, u32 line, const char **at) {
  Json *list = json_array ();
  ++*at;
  for (skip_spaces (at); **at && **at != ']'; skip_spaces (at)) {
    json_add (list, read_scalar (r, line, at, ",[]"));
    skip_spaces (at);
    if (**at == ',')
      ++*at;
    else if (**at != ']')
      break;
  }
  if (**at == ']')
    ++*at;
  else
    fail (r, line, "a bracket is not closed");
  return list;
}

static Json *read_inline (Reader *r, u32 line, const char *text) {
  Json *j = *text == '[' ? read_brackets (r, line, &text) : read_scalar (r, line, &text, "");
  skip_spaces (&text);
  if (*text) fail (r, line, "text after a value");
  return j;
}

/* ---- structure */

static Json *read_node (Reader *r, u32 indent);

static bool is_item (const char *text) { return *text == '-' && (!text[1] || text[1] == ' '); }

/* What follows a key or a dash: on the same line, or indented below. A sequence may stand as far to
 * the left as its key. */
static Json *read_value (Reader *r, const char *text, u32 indent) {
  const Line *here = &r->lines.data[r->at++];
  if (*text) return read_inline (r, here->number, text);
  const Line *next = r->at < r->lines.size ? &r->lines.data[r->at] : NULL;
  bool is_list = next && next->indent == indent && is_item (next->text) && !is_item (here->text);
  if (next && (next->indent > indent || is_list)) return read_node (r, next->indent);
  return scalar ("", 0);
}

/* The length of a key before `: `, or 0. */
static size_t key_length (const char *text) {
  size_t n = strcspn (text, ":'\"[] ");
  return n && text[n] == ':' && (!text[n + 1] || text[n + 1] == ' ') ? n : 0;
}

static Json *read_mapping (Reader *r, u32 indent) {
  Json *object = json_object ();
  while (r->at < r->lines.size && r->lines.data[r->at].indent == indent && !r->error->length) {
    const Line *line = &r->lines.data[r->at];
    size_t n = key_length (line->text);
    if (!n) {
      fail (r, line->number, "`key: value` is missing");
      break;
    }
    Str key = {0};
    str_add_n (&key, line->text, n);
    const char *rest = line->text + n + 1;
    skip_spaces (&rest);
    if (json_get (object, key.text)) fail (r, line->number, "a key occurs twice");
    json_put (object, key.text, read_value (r, rest, indent));
    str_free (&key);
  }
  return object;
}

static Json *read_sequence (Reader *r, u32 indent) {
  Json *list = json_array ();
  while (r->at < r->lines.size && r->lines.data[r->at].indent == indent && !r->error->length) {
    Line *line = &r->lines.data[r->at];
    if (!is_item (line->text)) break;
    const char *rest = line->text + 1;
    skip_spaces (&rest);
    u32 inner = indent + (u32)(rest - line->text);
    if (!key_length (rest)) {
      json_add (list, read_value (r, rest, indent));
      continue;
    }
    memmove (line->text, rest, strlen (rest) + 1); /* `- key: value` begins a mapping */
    line->indent = inner;
    json_add (list, read_node (r, inner));
  }
  return list;
}

static Json *read_node (Reader *r, u32 indent) {
  const Line *line = &r->lines.data[r->at];
  Json *j;
  if (++r->depth > MOST_DEPTH) fail (r, line->number, "too deep");
  if (is_item (line->text))
    j = read_sequence (r, indent);
  else if (key_length (line->text))
    j = read_mapping (r, indent);
  else
    j = read_inline (r, r->lines.data[r->at++].number, line->text);
  r->depth--;
  return j;
}

Json *yaml_read (const char *text, size_t size, Str *error) {
  Reader r = {.error = error};
  split_lines (&r, text, size);
  Json *j = NULL;
  if (!r.lines.size)
    fail (&r, 1, "nothing but comments");
  else if (!error->length)
    j = read_node (&r, r.lines.data[0].indent);
  if (r.at < r.lines.size) fail (&r, r.lines.data[r.at].number, "the indentation does not fit");
  for (u32 i = 0; i < r.lines.size; i++) mem_free (r.lines.data[i].text);
  vec_free (&r.lines);
  if (!error->length) return j;
  json_free (j);
  return NULL;
}
