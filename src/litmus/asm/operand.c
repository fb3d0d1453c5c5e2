/* operand.c - an instruction: its row, and what its operands are. */
#include <ctype.h>
#include <stdlib.h>
#include <strings.h>

#include "litmus/asm/asm.h"

typedef struct Piece {
  const char *at;
  size_t length;
} Piece;

bool asm_word_is (const char *word, size_t n, const char *text) {
  return strlen (text) == n && !strncasecmp (word, text, n);
}

static Piece trimmed (const char *at, const char *end) {
  while (at < end && isspace ((u8)*at)) at++;
  while (end > at && isspace ((u8)end[-1])) end--;
  return (Piece){at, (size_t)(end - at)};
}

/* Splits at commas that stand in no brackets; returns how many there are, or UINT32_MAX. */
static u32 split (Piece p, Piece *out, u32 most) {
  u32 count = 0;
  i32 depth = 0;
  const char *start = p.at, *end = p.at + p.length;
  if (!p.length) return 0;
  for (const char *c = p.at; c <= end; c++) {
    if (c < end && strchr ("([", *c)) depth++;
    if (c < end && strchr (")]", *c)) depth--;
    if (c < end && (*c != ',' || depth > 0)) continue;
    if (count == most) return UINT32_MAX;
    out[count++] = trimmed (start, c);
    start = c + 1;
  }
  return count;
}

static bool read_number (Piece p, i64 *out) {
  char text[40], *end;
  if (p.length && strchr ("#$", *p.at)) p = trimmed (p.at + 1, p.at + p.length);
  if (!p.length || p.length >= sizeof text) return false;
  memcpy (text, p.at, p.length);
  text[p.length] = 0;
  *out = *text == '-' ? (i64)strtoll (text, &end, 0) : (i64)strtoull (text, &end, 0);
  return !*end && (isdigit ((u8)*text) || *text == '-');
}

static bool read_register (const AsmThread *t, Piece p, AsmRegister *out) {
  if (p.length && *p.at == '%') p = (Piece){p.at + 1, p.length - 1};
  return p.length && t->a->dialect->find_register (p.at, p.length, out);
}

static bool is_name (Piece p) {
  return p.length && (isalpha ((u8)*p.at) || *p.at == '_') && litmus_word_length (p.at) == p.length;
}

/* X1   X1,#4   X1,X2   X1,W2,SXTW   x */
static bool read_inside (AsmThread *t, Piece p, AsmOperand *o) {
  Piece parts[3];
  u32 n = split (p, parts, ARRAY_SIZE (parts));
  if (!n || n == UINT32_MAX) return false;
  if (!read_register (t, parts[0], &o->reg)) {
    if (!t->a->dialect->names_locations || !is_name (parts[0]) || n > 1) return false;
    o->location = asm_location (t->a, parts[0].at, parts[0].length);
    return true;
  }
  if (n == 1) return true;
  if (read_number (parts[1], &o->number)) return n == 2;
  if (!read_register (t, parts[1], &o->index)) return false;
  if (n == 3) {
    o->word = parts[2].at;
    o->length = parts[2].length;
  }
  return true;
}

static bool read_memory (AsmThread *t, Piece p, AsmOperand *o) {
  const char *open = memchr (p.at, *p.at == '[' ? '[' : '(', p.length);
  *o = (AsmOperand){.shape = SHAPE_MEMORY};
  o->reg.number = o->index.number = ASM_NONE;
  if (p.at[p.length - 1] != (*open == '[' ? ']' : ')')) return false;
  Piece offset = trimmed (p.at, open);
  if (!read_inside (t, trimmed (open + 1, p.at + p.length - 1), o)) return false;
  i64 number = 0;
  if (offset.length && !read_number (offset, &number)) return false;
  o->number += number;
  return true;
}

static bool read_operand (AsmThread *t, Piece p, AsmOperand *o) {
  *o = (AsmOperand){.shape = SHAPE_WORD, .word = p.at, .length = p.length};
  if (!p.length) return false;
  if (*p.at == '[' || memchr (p.at, '(', p.length)) return read_memory (t, p, o);
  if (read_number (p, &o->number))
    o->shape = SHAPE_NUMBER;
  else if (read_register (t, p, &o->reg))
    o->shape = SHAPE_REGISTER;
  return true;
}

static bool has_shape (const AsmOperand *o, char shape) {
  switch (shape) {
  case 'r':
    return o->shape == SHAPE_REGISTER;
  case 'n':
    return o->shape == SHAPE_NUMBER;
  case 'v':
    return o->shape == SHAPE_REGISTER || o->shape == SHAPE_NUMBER;
  case 'm':
    return o->shape == SHAPE_MEMORY;
  case 'w':
    return o->shape == SHAPE_WORD;
  }
  return false;
}

static bool fits (const AsmRow *row, const AsmLine *l) {
  if (strlen (row->shapes) != l->count) return false;
  for (u32 i = 0; i < l->count; i++)
    if (!has_shape (&l->operands[i], row->shapes[i])) return false;
  return true;
}

/* Two registers as an address. In POWER the first one stands for 0 if it is r0. */
static void join_index (AsmLine *l) {
  AsmOperand *base = &l->operands[l->count - 1], *first = base - 1;
  AsmOperand o = {.shape = SHAPE_MEMORY, .reg = base->reg, .index = first->reg};
  if (!first->reg.number) o.index.number = ASM_NONE;
  *first = o;
  l->count--;
}

/* `suffix`: a letter that tells the size, in AT&T's mnemonics, or 0. */
static bool name_is (const AsmRow *row, Piece name, char suffix) {
  if (asm_word_is (name.at, name.length, row->name)) return true;
  return suffix && asm_word_is (name.at, name.length - 1, row->name);
}

static char size_suffix (const AsmThread *t, Piece name) {
  char last = (char)tolower (name.at[name.length - 1]);
  return t->a->dialect->source_is_first && name.length > 1 && strchr ("bwlq", last) ? last : 0;
}

static u32 size_of_suffix (char suffix) {
  switch (suffix) {
  case 'b':
    return 1;
  case 'w':
    return 2;
  case 'l':
    return 4;
  case 'q':
    return 8;
  }
  return 0;
}

static bool find_row (AsmThread *t, AsmLine *l, Piece name) {
  const AsmDialect *d = t->a->dialect;
  bool is_known = false;
  for (u32 pass = 0; pass < 2 && !l->row; pass++) {
    char suffix = pass ? size_suffix (t, name) : 0;
    for (u32 i = 0; i < d->row_count && !l->row; i++) {
      if (!name_is (&d->rows[i], name, suffix)) continue;
      is_known = true;
      if (!fits (&d->rows[i], l)) continue;
      l->row = &d->rows[i];
      l->bytes = size_of_suffix (suffix);
    }
  }
  if (!is_known) return asm_fail (t, "instruction `%.*s` is not known", (int)name.length, name.at);
  if (!l->row)
    return asm_fail (t, "instruction `%.*s` is not known with such operands", (int)name.length,
                     name.at);
  if (l->row->flags & ASM_INDEXED) join_index (l);
  return true;
}

static void reverse (AsmLine *l) {
  for (u32 i = 0; i < l->count / 2; i++) {
    AsmOperand o = l->operands[i];
    l->operands[i] = l->operands[l->count - 1 - i];
    l->operands[l->count - 1 - i] = o;
  }
}

static u32 label_of (AsmThread *t, Piece name) {
  for (u32 i = 0; i < t->labels.size; i++)
    if (strlen (t->labels.data[i].name) == name.length &&
        !strncmp (t->labels.data[i].name, name.at, name.length))
      return i;
  vec_push (&t->labels, ((AsmLabel){litmus_copy (name.at, name.length), UINT32_MAX}));
  return t->labels.size - 1;
}

static Piece read_name (const char *at, const char *end) {
  const char *stop = at;
  while (stop < end && !isspace ((u8)*stop)) stop++;
  if (!asm_word_is (at, (size_t)(stop - at), "lock")) return (Piece){at, (size_t)(stop - at)};
  while (stop < end && isspace ((u8)*stop)) stop++;
  while (stop < end && !isspace ((u8)*stop)) stop++;
  return (Piece){at, (size_t)(stop - at)};
}

static bool read_instruction (AsmThread *t, Piece text, AsmLine *l) {
  Piece operands[ASM_OPERANDS], name = read_name (text.at, text.at + text.length);
  l->count = split (trimmed (name.at + name.length, text.at + text.length), operands, ASM_OPERANDS);
  if (l->count == UINT32_MAX) return asm_fail (t, "too many operands");
  for (u32 i = 0; i < l->count; i++)
    if (!read_operand (t, operands[i], &l->operands[i]))
      return asm_fail (t, "operand `%.*s` is not known", (int)operands[i].length, operands[i].at);
  if (t->a->dialect->source_is_first) reverse (l);
  if (!find_row (t, l, name)) return false;
  for (u32 i = 0; i < l->count; i++)
    if (l->operands[i].shape == SHAPE_MEMORY && asm_bytes (l) > t->a->widest)
      t->a->widest = asm_bytes (l);
  return true;
}

/* [label:] [instruction] */
bool asm_read_line (AsmThread *t, const char *at, const char *end) {
  for (;;) {
    Piece rest = trimmed (at, end);
    AsmLine l = {.at = rest.at};
    size_t n = litmus_word_length (rest.at);
    bool is_label = n && n < rest.length && rest.at[n] == ':';
    if (!rest.length) return true;
    t->line = &l;
    if (is_label)
      l.label = label_of (t, (Piece){rest.at, n});
    else if (!read_instruction (t, rest, &l))
      return false;
    t->line = NULL;
    vec_push (&t->lines, l);
    if (!is_label) return true;
    at = rest.at + n + 1;
  }
}
