/* scan.c - see scan.h. */
#include "repair/edits/scan.h"

#include <ctype.h>

bool is_name_char (char c) { return isalnum ((u8)c) || c == '_'; }

bool word_at (const Source *s, u32 at, const char *word) {
  u32 n = (u32)strlen (word);
  return at + n <= s->size && !strncmp (s->code + at, word, n) && !is_name_char (s->code[at + n]) &&
         (!at || !is_name_char (s->code[at - 1]));
}

u32 behind_blanks (const Source *s, u32 at) {
  while (at < s->size && isspace ((u8)s->code[at])) at++;
  return at;
}

u32 closing (const Source *s, u32 open) {
  u32 depth = 0;
  for (u32 i = open; i < s->size; i++) {
    if (strchr ("([{", s->code[i])) depth++;
    if (strchr (")]}", s->code[i]) && !--depth) return i;
  }
  return 0;
}

u32 opening (const Source *s, u32 close) {
  u32 depth = 0;
  for (u32 i = close;; i--) {
    if (strchr (")]}", s->code[i])) depth++;
    if (strchr ("([{", s->code[i]) && !--depth) return i;
    if (!i) return 0;
  }
}

static u32 before_blanks (const Source *s, u32 at) {
  while (at && isspace ((u8)s->code[at - 1])) at--;
  return at;
}

Range trimmed (const Source *s, Range r) {
  while (r.start < r.end && isspace ((u8)s->code[r.start])) r.start++;
  while (r.end > r.start && isspace ((u8)s->code[r.end - 1])) r.end--;
  return r;
}

void split_arguments (const Source *s, u32 open, Ranges *out) {
  u32 close = closing (s, open), start = open + 1;
  out->size = 0;
  for (u32 i = start; i < close; i++) {
    if (strchr ("([{", s->code[i])) i = closing (s, i);
    if (s->code[i] != ',') continue;
    vec_push (out, trimmed (s, ((Range){start, i})));
    start = i + 1;
  }
  Range last = trimmed (s, (Range){start, close});
  if (last.start < last.end) vec_push (out, last);
}

u32 line_at (const Source *s, u32 at) {
  u32 line = 1;
  for (u32 i = 0; i < at; i++) line += s->text[i] == '\n';
  return line;
}

u32 start_of_line (const Source *s, u32 at) {
  while (at && s->text[at - 1] != '\n') at--;
  return at;
}

bool is_constant (const Source *s, Range r) {
  for (u32 i = r.start; i < r.end; i++) {
    if (!is_name_char (s->code[i])) continue;
    bool is_number = isdigit ((u8)s->code[i]), is_small = false;
    for (; i < r.end && is_name_char (s->code[i]); i++) is_small |= islower ((u8)s->code[i]) != 0;
    if (is_small && !is_number) return false;
  }
  return true;
}

bool name_has (const Names *names, const char *text, u32 length) {
  for (u32 i = 0; i < names->size; i++)
    if (!strncmp (names->data[i], text, length) && !names->data[i][length]) return true;
  return false;
}

void name_add (Names *names, const char *text, u32 length) {
  if (!length || name_has (names, text, length)) return;
  Str s = {0};
  str_add_n (&s, text, length);
  vec_push (names, s.text);
}

/* ---- what is code */

/* Blanks out from `at` to the end of what begins there. */
static u32 blank (Source *s, u32 at) {
  char first = s->code[at];
  u32 end = at + 1;
  if (first == '/' && s->code[end] == '/') {
    while (end < s->size && s->code[end] != '\n') end++;
  } else if (first == '/') {
    for (end++; end < s->size && (s->code[end - 1] != '*' || s->code[end] != '/');) end++;
    end++;
  } else if (first == '#') {
    for (; end < s->size && (s->code[end] != '\n' || s->code[end - 1] == '\\'); end++) continue;
  } else {
    for (; end < s->size && s->code[end] != first && s->code[end] != '\n'; end++)
      end += s->code[end] == '\\';
    end++;
  }
  if (end > s->size) end = s->size;
  for (u32 i = at; i < end; i++)
    if (s->code[i] != '\n') s->code[i] = ' ';
  return end;
}

static void find_code (Source *s) {
  bool is_line_start = true;
  for (u32 i = 0; i < s->size;) {
    char c = s->code[i], next = s->code[i + 1];
    bool begins = (c == '/' && (next == '/' || next == '*')) || c == '"' || c == '\'' ||
                  (c == '#' && is_line_start);
    is_line_start = c == '\n' || (is_line_start && (isspace ((u8)c) || begins));
    i = begins ? blank (s, i) : i + 1;
  }
}

/* ---- functions */

/* ORDER (release, 2) */
static bool is_in_macro (const Source *s, u32 at) {
  while (at && (is_name_char (s->code[at - 1]) || isspace ((u8)s->code[at - 1]))) at--;
  if (!at || s->code[at - 1] != '(') return false;
  u32 end = before_blanks (s, at - 1), start;
  for (start = end; start && is_name_char (s->code[start - 1]);) start--;
  return start < end && is_constant (s, (Range){start, end});
}

static void add_words (const Source *s, Range r, Body *b) {
  static const char *const keywords[] = {
      "if",   "else",   "while",  "do",      "for",      "return", "break", "continue", "switch",
      "case", "sizeof", "static", "const",   "unsigned", "int",    "long",  "void",     "char",
      "bool", "struct", "true",   "default", "goto",     "signed", "short"};
  for (u32 i = r.start; i < r.end; i++) {
    if (!is_name_char (s->code[i])) continue;
    u32 start = i;
    while (i < r.end && is_name_char (s->code[i])) i++;
    u32 next = behind_blanks (s, i), k = 0;
    bool is_member = start && (s->code[start - 1] == '.' ||
                               (s->code[start - 1] == '>' && s->code[start - 2] == '-'));
    while (k < ARRAY_SIZE (keywords) && !word_at (s, start, keywords[k])) k++;
    if (k < ARRAY_SIZE (keywords) || is_member || s->code[next] == '(') continue;
    if (!strncmp (s->code + start, "memory_order", 12) || !strncmp (s->code + start, "pthread", 7))
      continue;
    bool is_type = next > i && is_name_char (s->code[next]);
    is_type |= s->code[next] == '*' && is_name_char (s->code[next + 1]) && next > i;
    if (is_type || is_in_macro (s, start)) continue;
    bool is_constant_name = is_constant (s, (Range){start, i});
    name_add (is_constant_name ? &b->constants : &b->locals, s->text + start, i - start);
  }
}

static bool is_statement_word (const Source *s, u32 at) {
  static const char *const words[] = {"else", "while"};
  for (u32 k = 0; k < ARRAY_SIZE (words); k++)
    if (word_at (s, at, words[k])) return true;
  return false;
}

/* Behind every statement and at the beginning of blocks, but not where a statement belongs to what
 * stands before it. */
static void find_places (const Source *s, Body *b) {
  bool is_in_do = false;
  for (u32 i = b->range.start; i < b->range.end; i++) {
    char c = s->code[i];
    if (c == '(' || c == '[') {
      i = closing (s, i);
      continue;
    }
    if (c == '=' && s->code[behind_blanks (s, i + 1)] == '{')
      i = closing (s, behind_blanks (s, i + 1));
    if (word_at (s, i, "do") && s->code[behind_blanks (s, i + 2)] != '{') is_in_do = true;
    if (c != ';' && c != '{' && c != '}') continue;
    u32 next = behind_blanks (s, i + 1);
    bool goes_on = word_at (s, next, "else") || (c == '}' && is_statement_word (s, next)) ||
                   (c == ';' && is_in_do);
    if (c == ';') is_in_do = false;
    if (!goes_on && next <= b->range.end) vec_push (&b->places, ((Range){next, next}));
  }
}

static void find_conditions (const Source *s, Body *b) {
  for (u32 i = b->range.start; i < b->range.end; i++) {
    bool is_for = word_at (s, i, "for");
    if (word_at (s, i, "return")) {
      u32 end = i + 6;
      while (s->code[end] != ';' && end < b->range.end) end++;
      Range r = trimmed (s, (Range){i + 6, end});
      if (r.start < r.end) vec_push (&b->returns, r);
    }
    if (!is_for && !word_at (s, i, "if") && !word_at (s, i, "while")) continue;
    u32 open = behind_blanks (s, i + (is_for ? 3 : word_at (s, i, "if") ? 2 : 5));
    if (s->code[open] != '(') continue;
    Range r = {open + 1, closing (s, open)};
    if (is_for) {
      while (r.start < r.end && s->code[r.start] != ';') r.start++;
      u32 end = ++r.start;
      while (end < r.end && s->code[end] != ';') end++;
      r.end = end;
    }
    r = trimmed (s, r);
    if (r.start < r.end) vec_push (&b->conditions, r);
  }
}

static void find_expressions (const Source *s, Body *b) {
  Ranges arguments = {0};
  for (u32 i = b->range.start; i < b->range.end; i++) {
    if (s->code[i] == '[') {
      Range r = trimmed (s, (Range){i + 1, closing (s, i)});
      name_add (&b->indices, s->text + r.start, r.end - r.start);
    }
    if (!strncmp (s->code + i, "atomic_", 7) && !is_name_char (s->code[i - 1])) {
      u32 open = i;
      while (is_name_char (s->code[open])) open++;
      open = behind_blanks (s, open);
      if (s->code[open] != '(') continue;
      split_arguments (s, open, &arguments);
      if (arguments.size && strncmp (s->code + i, "atomic_thread_fence", 19))
        name_add (&b->locations, s->text + arguments.data[0].start,
                  arguments.data[0].end - arguments.data[0].start);
    }
  }
  vec_free (&arguments);
}

/* `at` is an opening brace outside of everything; a function if a list of parameters stands before
 * it. */
static void add_body (Source *s, u32 at) {
  u32 close = before_blanks (s, at), name;
  if (!close || s->code[close - 1] != ')') return;
  u32 open = opening (s, close - 1), end = before_blanks (s, open);
  for (name = end; name && is_name_char (s->code[name - 1]);) name--;
  if (name == end) return;
  Body b = {.range = {at, closing (s, at)}};
  Str text = {0};
  str_add_n (&text, s->code + name, end - name);
  b.name = text.text;
  split_arguments (s, open, &b.params);
  add_words (s, (Range){open, close}, &b);
  add_words (s, b.range, &b);
  find_places (s, &b);
  find_conditions (s, &b);
  find_expressions (s, &b);
  vec_push (&s->bodies, b);
}

/* ---- assertions */

/* The `if` whose statement begins at `at`, with a brace or without; else `at`. */
static u32 start_of_condition (const Source *s, u32 at) {
  u32 close = before_blanks (s, at);
  if (close && s->code[close - 1] == '{') close = before_blanks (s, close - 1);
  if (!close || s->code[close - 1] != ')') return at;
  u32 end = before_blanks (s, opening (s, close - 1));
  return end >= 2 && word_at (s, end - 2, "if") ? end - 2 : at;
}

static void find_assertions (const Source *s, Body *b, const char *other) {
  const char *const names[] = {"assert", "__VERIFIER_assert", "__VERIFIER_assume",
                               "abort",  "__VERIFIER_error",  "reach_error",
                               other};
  for (u32 i = b->range.start; i < b->range.end; i++)
    for (u32 k = 0; k < ARRAY_SIZE (names); k++) {
      if (!*names[k] || !word_at (s, i, names[k])) continue;
      u32 open = behind_blanks (s, i + (u32)strlen (names[k]));
      if (s->code[open] == '(')
        vec_push (&b->assertions, ((Range){start_of_condition (s, i), closing (s, open) + 1}));
      break;
    }
}

void source_find_assertions (Source *s, u32 line, u32 column) {
  u32 at = 0;
  Str name = {0};
  for (u32 k = 1; k < line && at < s->size; at++) k += s->text[at] == '\n';
  at += column ? column - 1 : 0;
  str_add (&name, "");
  for (; line && at < s->size && is_name_char (s->code[at]); at++)
    str_add_n (&name, s->code + at, 1);
  for (u32 i = 0; i < s->bodies.size; i++) find_assertions (s, &s->bodies.data[i], name.text);
  str_free (&name);
}

/* Declarations outside of functions: `end` is the semicolon. */
static void add_globals (Source *s, Range r) {
  bool is_atomic = false, is_lock = false;
  for (u32 i = r.start; i < r.end; i++) {
    is_atomic |= !strncmp (s->code + i, "atomic_", 7) || word_at (s, i, "_Atomic");
    is_lock |= word_at (s, i, "pthread_mutex_t");
    if (word_at (s, i, "typedef") || word_at (s, i, "extern") || s->code[i] == '{') return;
  }
  for (u32 i = r.start; (is_atomic || is_lock) && i < r.end; i++) {
    if (s->code[i] == '(' || s->code[i] == '[') i = closing (s, i);
    if (!is_name_char (s->code[i])) continue;
    u32 start = i;
    while (is_name_char (s->code[i])) i++;
    u32 next = behind_blanks (s, i);
    if (!strchr (",;=[", s->code[next])) {
      i--;
      continue;
    }
    if (is_lock) {
      name_add (&s->locks, s->text + start, i - start);
    } else {
      Atomics a = {0};
      Str text = {0};
      str_add_n (&text, s->text + start, i - start);
      a.name = text.text;
      for (; s->code[next] == '['; next = behind_blanks (s, closing (s, next) + 1)) {
        Range size = trimmed (s, (Range){next + 1, closing (s, next)});
        Str dimension = {0};
        str_add_n (&dimension, s->text + size.start, size.end - size.start);
        if (dimension.text) vec_push (&a.sizes, dimension.text);
      }
      vec_push (&s->atomics, a);
    }
    i = next;
    if (s->code[i] == '=')
      while (i < r.end && s->code[i] != ',') i = strchr ("({", s->code[i]) ? closing (s, i) : i + 1;
  }
}

static void find_parts (Source *s) {
  u32 start = 0;
  for (u32 i = 0; i < s->size; i++) {
    if (s->code[i] == '{') {
      add_body (s, i);
      u32 end = closing (s, i);
      if (!end) return;
      i = end;
      if (s->bodies.size && vec_last (&s->bodies).range.end == end) start = end + 1;
    }
    if (s->code[i] != ';') continue;
    add_globals (s, (Range){start, i + 1});
    start = i + 1;
  }
}

/* Every parenthesis, bracket and brace has its partner. */
static bool is_balanced (const Source *s) {
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

bool source_open (Source *s, const char *path) {
  size_t size;
  *s = (Source){.path = path, .text = file_read_regular (path, &size)};
  if (!s->text || size > 1 << 20) return false;
  s->size = (u32)size;
  s->code = mem_strdup (s->text);
  if (strlen (s->text) != size) return false;
  find_code (s);
  if (!is_balanced (s)) return false;
  find_parts (s);
  return true;
}

void names_free (Names *n) {
  for (u32 i = 0; i < n->size; i++) mem_free (n->data[i]);
  vec_free (n);
}

void source_close (Source *s) {
  for (u32 i = 0; i < s->bodies.size; i++) {
    Body *b = &s->bodies.data[i];
    mem_free (b->name);
    vec_free (&b->params);
    vec_free (&b->places);
    vec_free (&b->conditions);
    vec_free (&b->returns);
    vec_free (&b->assertions);
    names_free (&b->locals);
    names_free (&b->constants);
    names_free (&b->indices);
    names_free (&b->locations);
  }
  for (u32 i = 0; i < s->atomics.size; i++) {
    mem_free (s->atomics.data[i].name);
    names_free (&s->atomics.data[i].sizes);
  }
  vec_free (&s->bodies);
  vec_free (&s->atomics);
  names_free (&s->locks);
  mem_free (s->text);
  mem_free (s->code);
}
