#include "source/scan.h"

#include <ctype.h>

bool source_is_name_char (char c) { return isalnum ((u8)c) || c == '_' || (u8)c >= 0x80; }
bool source_is_opening (char c) { return c == '(' || c == '[' || c == '{'; }
bool source_is_closing (char c) { return c == ')' || c == ']' || c == '}'; }

Source source_of (const char *text, u32 size) {
  return (Source){.text = text, .code = text, .size = size};
}

/* ---- words */

bool source_word_at (const Source *s, u32 at, const char *word) {
  u32 n = (u32)strlen (word);
  return at + n <= s->size && !strncmp (s->code + at, word, n) &&
         (at + n == s->size || !source_is_name_char (s->code[at + n])) &&
         (!at || !source_is_name_char (s->code[at - 1]));
}

bool source_word_before (const Source *s, u32 end, const char *word) {
  u32 n = (u32)strlen (word);
  return end >= n && !strncmp (s->code + end - n, word, n) &&
         (end == n || !source_is_name_char (s->code[end - n - 1]));
}

u32 source_after_name (const Source *s, u32 at) {
  while (at < s->size && source_is_name_char (s->code[at])) at++;
  return at;
}

u32 source_before_name (const Source *s, u32 at) {
  while (at && source_is_name_char (s->code[at - 1])) at--;
  return at;
}

u32 source_after_blanks (const Source *s, u32 at) {
  while (at < s->size && isspace ((u8)s->code[at])) at++;
  return at < s->size ? at : s->size;
}

u32 source_before_blanks (const Source *s, u32 at) {
  while (at && isspace ((u8)s->code[at - 1])) at--;
  return at;
}

Span source_trimmed (const Source *s, Span a) {
  while (a.start < a.end && isspace ((u8)s->code[a.start])) a.start++;
  while (a.end > a.start && isspace ((u8)s->code[a.end - 1])) a.end--;
  return a;
}

/* ---- brackets */

u32 source_closing (const Source *s, u32 open) {
  u32 depth = 0;
  for (u32 i = open; i < s->size; i++) {
    depth += source_is_opening (s->code[i]);
    if (source_is_closing (s->code[i]) && !--depth) return i;
  }
  return s->size;
}

u32 source_opening (const Source *s, u32 close) {
  u32 depth = 0;
  for (u32 i = close + 1; i-- > 0;) {
    depth += source_is_closing (s->code[i]);
    if (source_is_opening (s->code[i]) && !--depth) return i;
  }
  return close;
}

void source_split_arguments (const Source *s, u32 open, Spans *out) {
  u32 close = source_closing (s, open), start = open + 1;
  out->size = 0;
  for (u32 i = start; i < close; i++) {
    if (source_is_opening (s->code[i])) i = source_closing (s, i);
    if (s->code[i] != ',') continue;
    vec_push (out, source_trimmed (s, ((Span){start, i})));
    start = i + 1;
  }
  Span last = source_trimmed (s, (Span){start, close});
  if (last.start < last.end) vec_push (out, last);
}

bool source_is_balanced (const Source *s) {
  static const char kinds[] = "()[]{}";
  Str open = {0};
  bool is_fine = true;
  for (u32 i = 0; i < s->size && is_fine; i++) {
    const char *kind = s->code[i] ? strchr (kinds, s->code[i]) : NULL;
    if (!kind) continue;
    if ((kind - kinds) % 2 == 0) {
      str_add_n (&open, kind + 1, 1);
    } else {
      is_fine = open.length && open.text[open.length - 1] == *kind;
      if (is_fine) open.text[--open.length] = 0;
    }
  }
  is_fine &= !open.length;
  str_free (&open);
  return is_fine;
}
