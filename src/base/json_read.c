/* json_read.c - reads JSON. Numbers keep their text, so that 64-bit values are exact. */
#include "base/json.h"

#include <stdlib.h>

enum { MOST_NESTED = 200 };

typedef struct Reader {
  const char *start, *at, *end;
  u32 depth;
  const char *wrong; /* what was expected where reading stopped */
} Reader;

static bool expected (Reader *r, const char *what) {
  if (!r->wrong) r->wrong = what;
  return false;
}

static void skip_blanks (Reader *r) {
  while (r->at < r->end && strchr (" \t\r\n", *r->at) && *r->at) r->at++;
}

static bool take (Reader *r, char c) {
  skip_blanks (r);
  if (r->at == r->end || *r->at != c) return false;
  r->at++;
  return true;
}

static bool read_hex (Reader *r, u32 *value) {
  *value = 0;
  for (int i = 0; i < 4; i++, r->at++) {
    static const char digits[] = "0123456789abcdefABCDEF";
    const char *d = r->at < r->end && *r->at ? strchr (digits, *r->at) : NULL;
    if (!d) return expected (r, "four hexadecimal digits");
    u32 digit = (u32)(d - digits);
    *value = *value * 16 + (digit < 16 ? digit : digit - 6);
  }
  return true;
}

static void add_utf8 (Str *s, u32 c) {
  char out[4];
  u32 n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
  for (u32 i = n; i-- > 1; c >>= 6) out[i] = (char)(0x80 | (c & 0x3f));
  out[0] = (char)(n == 1 ? c : (0xf00u >> n & 0xf0) | c);
  str_add_n (s, out, n);
}

static bool read_unicode (Reader *r, Str *s) {
  u32 c, low;
  if (!read_hex (r, &c)) return false;
  if (c >= 0xd800 && c < 0xdc00) {
    if (r->end - r->at < 2 || r->at[0] != '\\' || r->at[1] != 'u')
      return expected (r, "the second half of a character");
    r->at += 2;
    if (!read_hex (r, &low)) return false;
    if (low < 0xdc00 || low > 0xdfff) return expected (r, "the second half of a character");
    c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
  } else if (c >= 0xdc00 && c < 0xe000) {
    return expected (r, "a character");
  }
  add_utf8 (s, c);
  return true;
}

static bool read_escape (Reader *r, Str *s) {
  static const char names[] = "\"\\/bfnrt", chars[] = "\"\\/\b\f\n\r\t";
  if (r->at == r->end) return expected (r, "the end of a string");
  char c = *r->at++;
  if (c == 'u') return read_unicode (r, s);
  const char *name = c ? strchr (names, c) : NULL;
  if (!name) return expected (r, "an escape sequence");
  str_add_n (s, &chars[name - names], 1);
  return true;
}

static bool read_string (Reader *r, char **out) {
  Str s = {0};
  bool ok = take (r, '"') || expected (r, "a string");
  if (ok) str_add (&s, "");
  while (ok && r->at < r->end && *r->at != '"') {
    if (*r->at == '\\') {
      r->at++;
      ok = read_escape (r, &s);
    } else if ((u8)*r->at < ' ') {
      ok = expected (r, "the end of a string");
    } else {
      str_add_n (&s, r->at++, 1);
    }
  }
  ok = ok && (take (r, '"') || expected (r, "the end of a string"));
  if (ok)
    *out = s.text;
  else
    str_free (&s);
  return ok;
}

static bool read_number (Reader *r, Json *j) {
  const char *from = r->at;
  while (r->at < r->end && *r->at && strchr ("+-.0123456789eE", *r->at)) r->at++;
  Str s = {0};
  char *end;
  str_add_n (&s, from, (size_t)(r->at - from));
  if (s.length) strtod (s.text, &end);
  if (!s.length || *end || strchr ("+.", *s.text)) {
    str_free (&s);
    return expected (r, "a value");
  }
  j->kind = JSON_LITERAL;
  j->text = s.text;
  return true;
}

static bool read_value (Reader *r, Json *j);

static bool read_item (Reader *r, Json *j) {
  Json *item = mem_zalloc (sizeof *item);
  vec_push (&j->items, item);
  if (j->kind == JSON_OBJECT) {
    if (!read_string (r, &item->key)) return false;
    if (!take (r, ':')) return expected (r, "`:`");
  }
  return read_value (r, item);
}

static bool read_items (Reader *r, Json *j, JsonKind kind, char close) {
  j->kind = kind;
  if (take (r, close)) return true;
  if (++r->depth > MOST_NESTED) return expected (r, "less nesting");
  do
    if (!read_item (r, j)) return false;
  while (take (r, ','));
  r->depth--;
  return take (r, close) || expected (r, kind == JSON_OBJECT ? "`,` or `}`" : "`,` or `]`");
}

static bool read_value (Reader *r, Json *j) {
  static const char *const words[] = {"null", "false", "true"};
  skip_blanks (r);
  if (take (r, '{')) return read_items (r, j, JSON_OBJECT, '}');
  if (take (r, '[')) return read_items (r, j, JSON_ARRAY, ']');
  if (r->at < r->end && *r->at == '"') {
    j->kind = JSON_STRING;
    return read_string (r, &j->text);
  }
  for (u32 i = 0; i < ARRAY_SIZE (words); i++) {
    size_t n = strlen (words[i]);
    if ((size_t)(r->end - r->at) < n || strncmp (r->at, words[i], n)) continue;
    r->at += n;
    j->kind = JSON_LITERAL;
    j->text = mem_strdup (words[i]);
    return true;
  }
  return read_number (r, j);
}

Json *json_read (const char *text, size_t size, Str *error) {
  Reader r = {.start = text, .at = text, .end = text + size};
  Json *j = mem_zalloc (sizeof *j);
  bool ok = read_value (&r, j);
  skip_blanks (&r);
  if (ok && r.at == r.end) return j;
  u32 line = 1;
  for (const char *at = text; at < r.at; at++) line += *at == '\n';
  str_printf (error, "line %u: %s was expected", line, ok ? "the end" : r.wrong);
  json_free (j);
  return NULL;
}
