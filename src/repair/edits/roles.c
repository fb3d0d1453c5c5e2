/* roles.c - what belongs together, by how the text uses names. */
#include <ctype.h>

#include "repair/edits/outline.h"

static u32 number_of (Roles *r, const char *text, u32 length) {
  for (u32 i = 0; i < r->names.size; i++)
    if (!strncmp (r->names.data[i], text, length) && !r->names.data[i][length]) return i;
  name_add (&r->names, text, length);
  u32 number = r->with.size;
  vec_push (&r->with, number);
  return number;
}

static u32 role_of (const Roles *r, u32 name) {
  while (r->with.data[name] != name) name = r->with.data[name];
  return name;
}

static void unite (const Source *s, Roles *r, Span a, Span b) {
  if (a.start == a.end || b.start == b.end) return;
  u32 x = role_of (r, number_of (r, s->code + a.start, a.end - a.start));
  u32 y = role_of (r, number_of (r, s->code + b.start, b.end - b.start));
  r->with.data[x] = y;
}

static Span name_at (const Source *s, u32 at) {
  Span r = {at, at};
  while (r.end < s->size && source_is_name_char (s->code[r.end])) r.end++;
  return r;
}

/* The name that an expression is about: the variable, the member, what an atomic operation is
 * applied to, the function that is called. Empty if it has none, or is a constant. */
static Span subject (const Source *s, Span r) {
  u32 at = r.start;
  for (;;) {
    while (at < r.end && !source_is_name_char (s->code[at])) at++;
    Span name = name_at (s, at);
    if (at >= r.end) return (Span){0};
    u32 next = source_after_blanks (s, name.end);
    bool is_number = isdigit ((u8)s->code[at]), is_constant_name = outline_is_constant (s, name);
    bool is_cast = s->code[next] == '*' || (s->code[next] == ')' && s->code[at - 1] == '(');
    if (is_number || is_constant_name || (is_cast && s->code[at - 1] == '(')) {
      at = name.end;
      continue;
    }
    if (s->code[next] == '(' && !strncmp (s->code + at, "atomic_", 7)) {
      at = next;
      continue;
    }
    while (next < r.end &&
           (s->code[next] == '.' || !strncmp (s->code + next, "->", 2) || s->code[next] == '[')) {
      if (s->code[next] == '[') {
        next = source_after_blanks (s, source_closing (s, next) + 1);
        continue;
      }
      name = name_at (s, source_after_blanks (s, next + (s->code[next] == '.' ? 1 : 2)));
      next = source_after_blanks (s, name.end);
    }
    return name;
  }
}

/* From the beginning of the operand to the operator at `end`. */
static Span operand_before (const Source *s, u32 end) {
  u32 at = end;
  while (at) {
    char c = s->code[at - 1];
    if (c == ')' || c == ']')
      at = source_opening (s, at - 1);
    else if (source_is_name_char (c) || c == '.' || isspace ((u8)c) ||
             (at > 1 && c == '>' && s->code[at - 2] == '-'))
      at -= c == '>' ? 2 : 1;
    else
      break;
  }
  Span r = source_trimmed (s, (Span){at, end});
  for (u32 i = r.start; i < r.end; i++) { /* a type before the name */
    if (strchr ("([", s->code[i])) i = source_closing (s, i);
    if (isspace ((u8)s->code[i]) && source_is_name_char (s->code[i + 1])) r.start = i + 1;
  }
  return r;
}

static Span operand_after (const Source *s, u32 start) {
  u32 at = start;
  while (at < s->size && !strchr (",;)]}{?:=<>|&", s->code[at]))
    at = strchr ("([", s->code[at]) ? source_closing (s, at) + 1 : at + 1;
  if (at == source_after_blanks (s, start)) at = source_after_blanks (s, at) + 1; /* &x */
  while (at < s->size && !strchr (",;)]}{?:=<>|&", s->code[at]))
    at = strchr ("([", s->code[at]) ? source_closing (s, at) + 1 : at + 1;
  return source_trimmed (s, (Span){start, at});
}

static void unite_operands (const Source *s, Roles *r, u32 at) {
  char c = s->code[at], next = s->code[at + 1], before = at ? s->code[at - 1] : ' ';
  if (!strchr ("=!<>", c) || strchr ("=!<>+-*/%&|^", before)) return;
  if ((c == '<' || c == '>') && next == c) return;
  if (c == '!' && next != '=') return;
  unite (s, r, subject (s, operand_before (s, at)),
         subject (s, operand_after (s, at + (next == '=' ? 2 : 1))));
}

static void unite_call (const Outline *o, Roles *r, u32 at, Spans *arguments) {
  const Source *s = o->s;
  Span name = name_at (s, at);
  u32 open = source_after_blanks (s, name.end);
  if (s->code[open] != '(') return;
  source_split_arguments (s, open, arguments);
  if (!strncmp (s->code + at, "atomic_", 7) && arguments->size > 1 &&
      strncmp (s->code + at, "atomic_load", 11) && strncmp (s->code + at, "atomic_fetch", 12)) {
    unite (s, r, subject (s, arguments->data[0]), subject (s, arguments->data[1]));
    if (!strncmp (s->code + at, "atomic_compare", 14) && arguments->size > 2)
      unite (s, r, subject (s, arguments->data[0]), subject (s, arguments->data[2]));
  }
  for (u32 f = 0; f < o->bodies.size; f++) {
    const Body *b = &o->bodies.data[f];
    if (strlen (b->name) != name.end - name.start || !source_word_at (s, at, b->name)) continue;
    for (u32 k = 0; k < arguments->size && k < b->params.size; k++) {
      Span p = b->params.data[k];
      u32 start = p.end;
      while (start > p.start && source_is_name_char (s->code[start - 1])) start--;
      unite (s, r, subject (s, arguments->data[k]), (Span){start, p.end});
    }
  }
}

void roles_find (const Outline *o, Roles *out) {
  const Source *s = o->s;
  Spans arguments = {0};
  for (u32 f = 0; f < o->bodies.size; f++)
    for (u32 i = o->bodies.data[f].range.start; i < o->bodies.data[f].range.end; i++) {
      if (source_is_name_char (s->code[i]) && !source_is_name_char (s->code[i - 1]))
        unite_call (o, out, i, &arguments);
      else
        unite_operands (s, out, i);
    }
  vec_free (&arguments);
}

void roles_free (Roles *r) {
  for (u32 i = 0; i < r->names.size; i++) mem_free (r->names.data[i]);
  vec_free (&r->names);
  vec_free (&r->with);
}

/* The last name of an expression outside of brackets: `next` of `&n->next`, `flags` of
 * `&flags[i]`. */
static u32 find (const Roles *r, const char *text) {
  u32 end = (u32)strcspn (text, "["), start;
  while (end && !source_is_name_char (text[end - 1])) end--;
  for (start = end; start && source_is_name_char (text[start - 1]);) start--;
  for (u32 i = 0; i < r->names.size; i++)
    if (!strncmp (r->names.data[i], text + start, end - start) && !r->names.data[i][end - start])
      return i;
  return r->names.size;
}

bool role_is_open (const Roles *r, const char *a) { return find (r, a) == r->names.size; }

bool roles_agree (const Roles *r, const char *a, const char *b) {
  u32 x = find (r, a), y = find (r, b);
  return x < r->names.size && y < r->names.size && role_of (r, x) == role_of (r, y);
}
