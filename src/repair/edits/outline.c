#include "repair/edits/outline.h"

#include <ctype.h>

bool outline_is_constant (const Source *s, Span r) {
  for (u32 i = r.start; i < r.end; i++) {
    if (!source_is_name_char (s->code[i])) continue;
    bool is_number = isdigit ((u8)s->code[i]), is_small = false;
    for (; i < r.end && source_is_name_char (s->code[i]); i++)
      is_small |= islower ((u8)s->code[i]) != 0;
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

/* ---- functions */

/* ORDER (release, 2) */
static bool is_in_macro (const Source *s, u32 at) {
  while (at && (source_is_name_char (s->code[at - 1]) || isspace ((u8)s->code[at - 1]))) at--;
  if (!at || s->code[at - 1] != '(') return false;
  u32 end = source_before_blanks (s, at - 1), start;
  for (start = end; start && source_is_name_char (s->code[start - 1]);) start--;
  return start < end && outline_is_constant (s, (Span){start, end});
}

static void add_words (const Source *s, Span r, Body *b) {
  static const char *const keywords[] = {
      "if",   "else",   "while",  "do",      "for",      "return", "break", "continue", "switch",
      "case", "sizeof", "static", "const",   "unsigned", "int",    "long",  "void",     "char",
      "bool", "struct", "true",   "default", "goto",     "signed", "short"};
  for (u32 i = r.start; i < r.end; i++) {
    if (!source_is_name_char (s->code[i])) continue;
    u32 start = i;
    while (i < r.end && source_is_name_char (s->code[i])) i++;
    u32 next = source_after_blanks (s, i), k = 0;
    bool is_member = start && (s->code[start - 1] == '.' ||
                               (s->code[start - 1] == '>' && s->code[start - 2] == '-'));
    while (k < ARRAY_SIZE (keywords) && !source_word_at (s, start, keywords[k])) k++;
    if (k < ARRAY_SIZE (keywords) || is_member || s->code[next] == '(') continue;
    if (!strncmp (s->code + start, "memory_order", 12) || !strncmp (s->code + start, "pthread", 7))
      continue;
    bool is_type = next > i && source_is_name_char (s->code[next]);
    is_type |= s->code[next] == '*' && source_is_name_char (s->code[next + 1]) && next > i;
    if (is_type || is_in_macro (s, start)) continue;
    bool is_constant_name = outline_is_constant (s, (Span){start, i});
    name_add (is_constant_name ? &b->constants : &b->locals, s->text + start, i - start);
  }
}

static bool is_statement_word (const Source *s, u32 at) {
  static const char *const words[] = {"else", "while"};
  for (u32 k = 0; k < ARRAY_SIZE (words); k++)
    if (source_word_at (s, at, words[k])) return true;
  return false;
}

/* Behind every statement and at the beginning of blocks, but not where a statement belongs to what
 * stands before it. */
static void find_places (const Source *s, Body *b) {
  bool is_in_do = false;
  for (u32 i = b->range.start; i < b->range.end; i++) {
    char c = s->code[i];
    if (c == '(' || c == '[') {
      i = source_closing (s, i);
      continue;
    }
    if (c == '=' && s->code[source_after_blanks (s, i + 1)] == '{')
      i = source_closing (s, source_after_blanks (s, i + 1));
    if (source_word_at (s, i, "do") && s->code[source_after_blanks (s, i + 2)] != '{')
      is_in_do = true;
    if (c != ';' && c != '{' && c != '}') continue;
    u32 next = source_after_blanks (s, i + 1);
    bool goes_on = source_word_at (s, next, "else") || (c == '}' && is_statement_word (s, next)) ||
                   (c == ';' && is_in_do);
    if (c == ';') is_in_do = false;
    if (!goes_on && next <= b->range.end) vec_push (&b->places, ((Span){next, next}));
  }
}

static void find_conditions (const Source *s, Body *b) {
  for (u32 i = b->range.start; i < b->range.end; i++) {
    bool is_for = source_word_at (s, i, "for");
    if (source_word_at (s, i, "return")) {
      u32 end = i + 6;
      while (s->code[end] != ';' && end < b->range.end) end++;
      Span r = source_trimmed (s, (Span){i + 6, end});
      if (r.start < r.end) vec_push (&b->returns, r);
    }
    if (!is_for && !source_word_at (s, i, "if") && !source_word_at (s, i, "while")) continue;
    u32 open = source_after_blanks (s, i + (is_for ? 3 : source_word_at (s, i, "if") ? 2 : 5));
    if (s->code[open] != '(') continue;
    Span r = {open + 1, source_closing (s, open)};
    if (is_for) {
      while (r.start < r.end && s->code[r.start] != ';') r.start++;
      u32 end = ++r.start;
      while (end < r.end && s->code[end] != ';') end++;
      r.end = end;
    }
    r = source_trimmed (s, r);
    if (r.start < r.end) vec_push (&b->conditions, r);
  }
}

static void find_expressions (const Source *s, Body *b) {
  Spans arguments = {0};
  for (u32 i = b->range.start; i < b->range.end; i++) {
    if (s->code[i] == '[') {
      Span r = source_trimmed (s, (Span){i + 1, source_closing (s, i)});
      name_add (&b->indices, s->text + r.start, r.end - r.start);
    }
    if (!strncmp (s->code + i, "atomic_", 7) && !source_is_name_char (s->code[i - 1])) {
      u32 open = i;
      while (source_is_name_char (s->code[open])) open++;
      open = source_after_blanks (s, open);
      if (s->code[open] != '(') continue;
      source_split_arguments (s, open, &arguments);
      if (arguments.size && strncmp (s->code + i, "atomic_thread_fence", 19))
        name_add (&b->locations, s->text + arguments.data[0].start,
                  arguments.data[0].end - arguments.data[0].start);
    }
  }
  vec_free (&arguments);
}

/* `at` is an opening brace outside of everything; a function if a list of parameters stands before
 * it. */
static void add_body (Outline *o, u32 at) {
  const Source *s = o->s;
  u32 close = source_before_blanks (s, at), name;
  if (!close || s->code[close - 1] != ')') return;
  u32 open = source_opening (s, close - 1), end = source_before_blanks (s, open);
  for (name = end; name && source_is_name_char (s->code[name - 1]);) name--;
  if (name == end) return;
  Body b = {.range = {at, source_closing (s, at)}};
  Str text = {0};
  str_add_n (&text, s->code + name, end - name);
  b.name = text.text;
  source_split_arguments (s, open, &b.params);
  add_words (s, (Span){open, close}, &b);
  add_words (s, b.range, &b);
  find_places (s, &b);
  find_conditions (s, &b);
  find_expressions (s, &b);
  vec_push (&o->bodies, b);
}

/* ---- assertions */

/* The `if` whose statement begins at `at`, with a brace or without; else `at`. */
static u32 start_of_condition (const Source *s, u32 at) {
  u32 close = source_before_blanks (s, at);
  if (close && s->code[close - 1] == '{') close = source_before_blanks (s, close - 1);
  if (!close || s->code[close - 1] != ')') return at;
  u32 end = source_before_blanks (s, source_opening (s, close - 1));
  return end >= 2 && source_word_at (s, end - 2, "if") ? end - 2 : at;
}

static void find_assertions (const Source *s, Body *b, const char *other) {
  const char *const names[] = {"assert", "__VERIFIER_assert", "__VERIFIER_assume",
                               "abort",  "__VERIFIER_error",  "reach_error",
                               other};
  for (u32 i = b->range.start; i < b->range.end; i++)
    for (u32 k = 0; k < ARRAY_SIZE (names); k++) {
      if (!*names[k] || !source_word_at (s, i, names[k])) continue;
      u32 open = source_after_blanks (s, i + (u32)strlen (names[k]));
      if (s->code[open] == '(')
        vec_push (&b->assertions,
                  ((Span){start_of_condition (s, i), source_closing (s, open) + 1}));
      break;
    }
}

void outline_find_assertions (Outline *o, u32 line, u32 column) {
  const Source *s = o->s;
  u32 at = 0;
  Str name = {0};
  for (u32 k = 1; k < line && at < s->size; at++) k += s->text[at] == '\n';
  at += column ? column - 1 : 0;
  str_add (&name, "");
  for (; line && at < s->size && source_is_name_char (s->code[at]); at++)
    str_add_n (&name, s->code + at, 1);
  for (u32 i = 0; i < o->bodies.size; i++) find_assertions (s, &o->bodies.data[i], name.text);
  str_free (&name);
}

/* Declarations outside of functions: `end` is the semicolon. */
static void add_globals (Outline *o, Span r) {
  const Source *s = o->s;
  bool is_atomic = false, is_lock = false;
  for (u32 i = r.start; i < r.end; i++) {
    is_atomic |= !strncmp (s->code + i, "atomic_", 7) || source_word_at (s, i, "_Atomic");
    is_lock |= source_word_at (s, i, "pthread_mutex_t");
    if (source_word_at (s, i, "typedef") || source_word_at (s, i, "extern") || s->code[i] == '{')
      return;
  }
  for (u32 i = r.start; (is_atomic || is_lock) && i < r.end; i++) {
    if (s->code[i] == '(' || s->code[i] == '[') i = source_closing (s, i);
    if (!source_is_name_char (s->code[i])) continue;
    u32 start = i;
    while (source_is_name_char (s->code[i])) i++;
    u32 next = source_after_blanks (s, i);
    if (!strchr (",;=[", s->code[next])) {
      i--;
      continue;
    }
    if (is_lock) {
      name_add (&o->locks, s->text + start, i - start);
    } else {
      Atomics a = {0};
      Str text = {0};
      str_add_n (&text, s->text + start, i - start);
      a.name = text.text;
      for (; s->code[next] == '['; next = source_after_blanks (s, source_closing (s, next) + 1)) {
        Span size = source_trimmed (s, (Span){next + 1, source_closing (s, next)});
        Str dimension = {0};
        str_add_n (&dimension, s->text + size.start, size.end - size.start);
        if (dimension.text) vec_push (&a.sizes, dimension.text);
      }
      vec_push (&o->atomics, a);
    }
    i = next;
    if (s->code[i] == '=')
      while (i < r.end && s->code[i] != ',')
        i = strchr ("({", s->code[i]) ? source_closing (s, i) : i + 1;
  }
}

static void find_parts (Outline *o) {
  const Source *s = o->s;
  u32 start = 0;
  for (u32 i = 0; i < s->size; i++) {
    if (s->code[i] == '{') {
      add_body (o, i);
      u32 end = source_closing (s, i);
      if (end == s->size) return;
      i = end;
      if (o->bodies.size && vec_last (&o->bodies).range.end == end) start = end + 1;
    }
    if (s->code[i] != ';') continue;
    add_globals (o, (Span){start, i + 1});
    start = i + 1;
  }
}

bool outline_open (Outline *o, const char *path) {
  enum { LARGEST = 1 << 20 };
  *o = (Outline){.sources = sources_new ()};
  const Source *s = o->s = source_file (o->sources, path);
  if (!s->text || s->size > LARGEST || strlen (s->text) != s->size || !source_is_balanced (s))
    return false;
  find_parts (o);
  return true;
}

void names_free (Names *n) {
  for (u32 i = 0; i < n->size; i++) mem_free (n->data[i]);
  vec_free (n);
}

void outline_close (Outline *o) {
  for (u32 i = 0; i < o->bodies.size; i++) {
    Body *b = &o->bodies.data[i];
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
  for (u32 i = 0; i < o->atomics.size; i++) {
    mem_free (o->atomics.data[i].name);
    names_free (&o->atomics.data[i].sizes);
  }
  vec_free (&o->bodies);
  vec_free (&o->atomics);
  names_free (&o->locks);
  sources_free (o->sources);
}
