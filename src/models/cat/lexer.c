#include "models/cat/reader.h"

static bool is_digit (char c) { return c >= '0' && c <= '9'; }
static bool is_letter (char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
static bool is_name_part (char c) {
  return is_letter (c) || is_digit (c) || c == '_' || c == '.' || c == '-';
}

static bool is_keyword (const char *text) {
  static const char *const words[] = {"let",       "rec",          "and",
                                      "when",      "acyclic",      "irreflexive",
                                      "show",      "unshow",       "empty",
                                      "as",        "fun",          "in",
                                      "flag",      "assert",       "include",
                                      "variant",   "begin",        "end",
                                      "procedure", "call",         "enum",
                                      "debug",     "match",        "with",
                                      "forall",    "from",         "do",
                                      "try",       "if",           "then",
                                      "else",      "catdep",       "undefined_unless",
                                      "subset",    "instructions", "default",
                                      "not"};
  for (u32 i = 0; i < ARRAY_SIZE (words); i++)
    if (!strcmp (words[i], text)) return true;
  return false;
}

/* Length of the name at s, 0 if there is none: _? letter (letter|digit|_|.|-)* '? */
static u32 name_length (const char *s) {
  u32 n = s[0] == '_';
  if (!is_letter (s[n])) return 0;
  while (is_name_part (s[n])) n++;
  return n + (s[n] == '\'');
}

/* Behind a comment that begins at `at`. */
static u32 skip_comment (Reader *r, u32 source, u32 at) {
  const Source *s = &r->sources.data[source];
  u32 depth = 0, i = at;
  do {
    if (i >= s->size) reader_fail (r, (Place){source, at, 2}, NULL, "this comment does not end");
    if (s->text[i] == '(' && s->text[i + 1] == '*')
      depth++, i += 2;
    else if (s->text[i] == '*' && s->text[i + 1] == ')')
      depth--, i += 2;
    else
      i++;
  } while (depth);
  return i;
}

static u32 skip_blanks (Reader *r, u32 source, u32 at) {
  const Source *s = &r->sources.data[source];
  for (;;) {
    char c = s->text[at];
    if (at >= s->size)
      return (u32)s->size;
    else if (c == ' ' || c == '\t' || c == '\n' || c == '\r')
      at++;
    else if (c == '#' || (c == '/' && s->text[at + 1] == '/'))
      while (at < s->size && s->text[at] != '\n') at++;
    else if (c == '(' && s->text[at + 1] == '*')
      at = skip_comment (r, source, at);
    else
      return at;
  }
}

static Token next_token (Reader *r, u32 source, u32 at) {
  static const char *const signs[] = {"->", "||", "&&", "++", "-1", "(",  ")", "[",
                                      "]",  "{",  "}",  "|",  "&",  "\\", ";", "*",
                                      "+",  "?",  "^",  "~",  "=",  ",",  "_", "0"};
  const Source *s = &r->sources.data[source];
  const char *text = s->text + at;
  u32 n = name_length (text);
  if (at >= s->size) return (Token){TOKEN_END, {source, at, 0}, "the end of the file"};
  if (n) {
    char *name = reader_strndup (r, text, n);
    return (Token){is_keyword (name) ? TOKEN_KEYWORD : TOKEN_NAME, {source, at, n}, name};
  }
  if (*text == '"') {
    for (n = 1; at + n < s->size && text[n] != '"' && text[n] != '\n';) n++;
    if (text[n] != '"' || at + n >= s->size)
      reader_fail (r, (Place){source, at, n}, NULL, "this string does not end");
    return (Token){TOKEN_STRING, {source, at, n + 1}, reader_strndup (r, text + 1, n - 1)};
  }
  if (*text == '\'' && (n = name_length (text + 1)))
    return (Token){TOKEN_TAG, {source, at, n + 1}, reader_strndup (r, text + 1, n)};
  for (u32 i = 0; i < ARRAY_SIZE (signs); i++)
    if (!strncmp (signs[i], text, strlen (signs[i])))
      return (Token){TOKEN_SIGN, {source, at, (u32)strlen (signs[i])}, signs[i]};
  for (n = 1; ((u8)text[n] & 0xc0) == 0x80;) n++;
  if ((u8)*text < ' ')
    reader_fail (r, (Place){source, at, 1}, NULL, "byte %u has no meaning in cat", (u8)*text);
  reader_fail (r, (Place){source, at, n}, NULL, "`%.*s` has no meaning in cat", (int)n, text);
}

Token *cat_lex (Reader *r, u32 source) {
  u32 at = 0;
  r->tokens.size = 0;
  do {
    Token t = next_token (r, source, skip_blanks (r, source, at));
    vec_push (&r->tokens, t);
    at = t.place.at + t.place.length;
  } while (vec_last (&r->tokens).kind != TOKEN_END);
  Token *copy = reader_alloc (r, r->tokens.size * sizeof *copy);
  memcpy (copy, r->tokens.data, r->tokens.size * sizeof *copy);
  return copy;
}
