#include "ir/lexer.h"

void lex_init (Lexer *l, const char *text, size_t size, IrError *error) {
  memset (l, 0, sizeof *l);
  l->at = l->line_start = l->token_start = text;
  l->end = text + size;
  l->line = l->token_line = 1;
  l->error = error;
}

void lex_done (Lexer *l) { str_free (&l->text); }

void lex_fail (Lexer *l, const char *format, ...) {
  va_list ap;
  va_start (ap, format);
  l->error->line = l->token_line;
  l->error->column = (u32)(l->token_start - l->line_start) + 1;
  vsnprintf (l->error->message, sizeof l->error->message, format, ap);
  va_end (ap);
  longjmp (l->failed, 1);
}

static bool is_digit (char c) { return c >= '0' && c <= '9'; }
static bool is_letter (char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static int hex_digit (char c) {
  if (is_digit (c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

static void skip_comment (Lexer *l) {
  while (l->at < l->end && *l->at != '\n') l->at++;
}

static void skip_blanks (Lexer *l, bool over_lines) {
  for (; l->at < l->end; l->at++) {
    if (*l->at == ';' || *l->at == '#') skip_comment (l);
    if (l->at == l->end) break;
    if (*l->at == '\n') {
      if (!over_lines) break;
      l->line++;
      l->line_start = l->at + 1;
    } else if (*l->at != ' ' && *l->at != '\t' && *l->at != '\r') {
      break;
    }
  }
  l->token_start = l->at;
  l->token_line = l->line;
}

char lex_peek (Lexer *l) {
  skip_blanks (l, true);
  return l->at < l->end ? *l->at : 0;
}

bool lex_same_line (Lexer *l) {
  skip_blanks (l, false);
  return l->at < l->end && *l->at != '\n';
}

bool lex_accept (Lexer *l, char c) {
  if (lex_peek (l) != c || l->at == l->end) return false;
  l->at++;
  return true;
}

void lex_expect (Lexer *l, char c) {
  if (!lex_accept (l, c)) lex_fail (l, "expected '%c'", c);
}

static size_t word_length (const Lexer *l) {
  size_t n = 0;
  if (l->at < l->end && !is_letter (*l->at)) return 0;
  while (l->at + n < l->end && (is_letter (l->at[n]) || is_digit (l->at[n]))) n++;
  return n;
}

const char *lex_word (Lexer *l, const char *what) {
  skip_blanks (l, true);
  size_t n = word_length (l);
  if (!n) lex_fail (l, "expected %s", what);
  if (n >= sizeof l->word) lex_fail (l, "word is too long");
  memcpy (l->word, l->at, n);
  l->word[n] = 0;
  l->at += n;
  return l->word;
}

bool lex_accept_word (Lexer *l, const char *word) {
  skip_blanks (l, true);
  size_t n = word_length (l);
  if (n != strlen (word) || memcmp (l->at, word, n)) return false;
  l->at += n;
  return true;
}

void lex_expect_word (Lexer *l, const char *word) {
  if (!lex_accept_word (l, word)) lex_fail (l, "expected `%s`", word);
}

static char escaped (Lexer *l) {
  if (l->at == l->end) lex_fail (l, "string does not end");
  char c = *l->at++;
  if (c == 'n') return '\n';
  if (c == 't') return '\t';
  if (c != 'x') return c;
  int high = l->at < l->end ? hex_digit (*l->at) : -1;
  int low = l->at + 1 < l->end ? hex_digit (l->at[1]) : -1;
  if (high < 0 || low < 0) lex_fail (l, "\\x needs two hexadecimal digits");
  l->at += 2;
  return (char)(high * 16 + low);
}

const char *lex_string (Lexer *l) {
  lex_expect (l, '"');
  str_clear (&l->text);
  str_add (&l->text, "");
  for (;;) {
    if (l->at == l->end || *l->at == '\n') lex_fail (l, "string does not end");
    char c = *l->at++;
    if (c == '"') return l->text.text;
    if (c == '\\') c = escaped (l);
    if (!c) lex_fail (l, "a string cannot contain a zero byte");
    str_add_n (&l->text, &c, 1);
  }
}

/* Reads digits up to the first that is none; false if there are none or the number does not fit. */
static bool digits (const char **at, const char *end, u64 *value) {
  const char *s = *at;
  bool hex = end - s > 2 && s[0] == '0' && (s[1] == 'x' || s[1] == 'X');
  u64 base = hex ? 16 : 10, v = 0;
  if (hex) s += 2;
  const char *first = s;
  for (; s < end && hex_digit (*s) >= 0 && (hex || is_digit (*s)); s++) {
    u64 d = (u64)hex_digit (*s);
    if (v > (~0ull - d) / base) return false;
    v = v * base + d;
  }
  *at = s;
  *value = v;
  return s > first && (s == end || !is_letter (*s));
}

u64 lex_number (Lexer *l, u64 max) {
  u64 v = 0;
  skip_blanks (l, true);
  if (!digits (&l->at, l->end, &v)) lex_fail (l, "expected a number");
  if (v > max) lex_fail (l, "number is too large: at most %llu", (unsigned long long)max);
  return v;
}

u64 lex_integer (Lexer *l) {
  u64 v = 0;
  skip_blanks (l, true);
  bool negative = l->at < l->end && *l->at == '-';
  if (negative || (l->at < l->end && *l->at == '+')) l->at++;
  if (!digits (&l->at, l->end, &v)) lex_fail (l, "expected a 64-bit integer");
  if (negative && v > 1ull << 63) lex_fail (l, "number is too small for 64 bits");
  return negative ? 0 - v : v;
}

u32 lex_word_index (Lexer *l, const char *number, u64 max) {
  u64 v = 0;
  const char *s = number, *end = number + strlen (number);
  if (!is_digit (*s) || !digits (&s, end, &v) || s != end || v > max)
    lex_fail (l, "bad index in `%s`", l->word);
  return (u32)v;
}

u32 lex_indexed (Lexer *l, char letter, u64 max) {
  char what[] = {letter, 'N', 0};
  if (lex_word (l, what)[0] != letter) lex_fail (l, "expected %s, found `%s`", what, l->word);
  return lex_word_index (l, l->word + 1, max);
}
