/* asmtext.c - reads the text of inline assembly as LLVM has it: AT&T syntax, $0 or ${0:b} for an
 * operand, $$ for a dollar. */
#include <ctype.h>
#include <stdlib.h>
#include "front/asm.h"

typedef struct Text {
  Asm *a;
  const char *at, *end;
} Text;

static const struct {
  char name[5];
  u8 slot, bits;
} registers[] = {
    {"al", 0, 8},   {"ax", 0, 16},  {"eax", 0, 32}, {"rax", 0, 64}, {"bl", 1, 8},   {"bx", 1, 16},
    {"ebx", 1, 32}, {"rbx", 1, 64}, {"cl", 2, 8},   {"cx", 2, 16},  {"ecx", 2, 32}, {"rcx", 2, 64},
    {"dl", 3, 8},   {"dx", 3, 16},  {"edx", 3, 32}, {"rdx", 3, 64}, {"sil", 4, 8},  {"si", 4, 16},
    {"esi", 4, 32}, {"rsi", 4, 64}, {"dil", 5, 8},  {"di", 5, 16},  {"edi", 5, 32}, {"rdi", 5, 64},
};

/* ${0:b} and the like: which part of the register */
static const struct {
  char name;
  u8 bits;
} modifiers[] = {{'b', 8}, {'w', 16}, {'k', 32}, {'q', 64}};

bool asm_register (const char *name, size_t length, u32 *slot, u32 *bits) {
  for (u32 k = 0; k < ARRAY_SIZE (registers); k++)
    if (strlen (registers[k].name) == length && !memcmp (registers[k].name, name, length)) {
      *slot = registers[k].slot;
      *bits = registers[k].bits;
      return true;
    }
  return false;
}

static char peek (const Text *t) { return t->at < t->end ? *t->at : 0; }

static bool accept (Text *t, char c) {
  if (peek (t) != c) return false;
  t->at++;
  return true;
}

static void skip_blanks (Text *t) {
  while (peek (t) == ' ' || peek (t) == '\t') t->at++;
}

static bool is_separator (char c) { return c == ';' || c == '\n'; }

static bool read_number (Text *t, u64 *out) {
  char digits[32];
  size_t n = 0;
  while (n + 1 < sizeof digits && (isalnum ((unsigned char)peek (t)) || (!n && peek (t) == '-')))
    digits[n++] = *t->at++;
  digits[n] = 0;
  char *stop;
  *out = strtoull (digits, &stop, 0);
  return n && !*stop;
}

static bool read_modifier (Text *t, u32 *bits) {
  char name = peek (t);
  for (u32 k = 0; k < ARRAY_SIZE (modifiers); k++)
    if (modifiers[k].name == name) {
      t->at++;
      *bits = modifiers[k].bits;
      return true;
    }
  return false;
}

/* What follows the $ of an operand. */
static bool read_operand (Text *t, AsmArg *out) {
  bool is_braced = accept (t, '{');
  char *stop;
  if (!isdigit ((unsigned char)peek (t))) return false;
  u64 n = strtoull (t->at, &stop, 10);
  t->at = stop;
  if (n >= t->a->noperands) return false;
  const AsmOperand *o = &t->a->operands[n];
  *out = (AsmArg){ARG_SLOT, o->slot, o->bits, OPERAND_NONE};
  if (o->kind == ASM_MEMORY) *out = (AsmArg){ARG_MEMORY, 0, 0, o->address};
  if (is_braced && accept (t, ':') && !read_modifier (t, &out->bits)) return false;
  return o->kind != ASM_CONDITION && (!is_braced || accept (t, '}'));
}

static bool read_register (Text *t, AsmArg *out) {
  if (accept (t, '$')) return read_operand (t, out);
  if (!accept (t, '%')) return false;
  const char *name = t->at;
  while (isalnum ((unsigned char)peek (t))) t->at++;
  *out = (AsmArg){.kind = ARG_SLOT};
  return asm_register (name, (size_t)(t->at - name), &out->slot, &out->bits);
}

/* (%rax), 8($1): the register holds the address. */
static bool read_address (Text *t, AsmArg *out) {
  u64 offset = 0;
  AsmArg base;
  if (peek (t) != '(' && !read_number (t, &offset)) return false;
  if (!accept (t, '(') || !read_register (t, &base) || !accept (t, ')')) return false;
  if (base.kind != ARG_SLOT || base.bits != 64 || t->a->slots[base.slot] == OPERAND_NONE)
    return false;
  *out = (AsmArg){ARG_MEMORY, 0, 0, emit_address (t->a->l, t->a->slots[base.slot], offset)};
  return true;
}

static bool read_arg (Text *t, AsmArg *out) {
  if (t->end - t->at > 1 && t->at[0] == '$' && t->at[1] == '$') {
    u64 value;
    t->at += 2;
    if (!read_number (t, &value)) return false;
    *out = (AsmArg){ARG_CONSTANT, 0, 0, emit_int (t->a->l, value)};
    return true;
  }
  return peek (t) == '$' || peek (t) == '%' ? read_register (t, out) : read_address (t, out);
}

static bool read_args (Text *t, AsmInsn *out) {
  skip_blanks (t);
  if (t->at == t->end || is_separator (peek (t))) return true;
  do {
    skip_blanks (t);
    if (out->nargs == ASM_ARGS || !read_arg (t, &out->args[out->nargs++])) return false;
    skip_blanks (t);
  } while (accept (t, ','));
  return t->at == t->end || is_separator (peek (t));
}

static bool read_word (Text *t, char *out, size_t room) {
  size_t n = 0;
  while (isalnum ((unsigned char)peek (t)) && n + 1 < room)
    out[n++] = (char)tolower ((unsigned char)*t->at++);
  out[n] = 0;
  return n && !isalnum ((unsigned char)peek (t));
}

static void skip_separators (Text *t) {
  while (isspace ((unsigned char)peek (t)) || is_separator (peek (t))) t->at++;
}

bool asm_next (Asm *a, const char **at, const char *end, AsmInsn *out, bool *failed) {
  Text t = {a, *at, end};
  *out = (AsmInsn){0};
  *failed = false;
  skip_separators (&t);
  if (t.at == end) return false;
  *failed = !read_word (&t, out->name, sizeof out->name);
  if (!*failed && !strcmp (out->name, "lock")) { /* on its own or before the instruction */
    out->is_locked = true;
    skip_separators (&t);
    *failed = !read_word (&t, out->name, sizeof out->name);
  }
  *failed = *failed || !read_args (&t, out);
  *at = t.at;
  return !*failed;
}
