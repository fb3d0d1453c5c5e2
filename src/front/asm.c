/* asm.c - the inline assembly that concurrent code uses: barriers and hints of several processors
 * by their whole text, x86-64 instruction by instruction. */
#include <ctype.h>
#include <stdlib.h>
#include "front/asm.h"

static const struct {
  const char *text;
  Order order;
} known[] = {
#define ASM(text, order) {text, order},
#include "front/asms.def"
#undef ASM
};

/* "lock ; addl $$0,0(%%rsp)" and "LOCK addl..." look alike after this. LLVM doubles the $. */
static void normalise (const char *text, size_t length, char *out, size_t room) {
  size_t n = 0;
  for (size_t i = 0; i < length && n + 2 < room; i++) {
    char c = (char)tolower ((unsigned char)text[i]);
    if (isspace ((unsigned char)c) || (c == '$' && n && out[n - 1] == '$')) {
      if (c == '\n' && i + 1 < length) out[n++] = ';';
      continue;
    }
    out[n++] = c;
    if (n == 4 && !memcmp (out, "lock", 4) && !strchr (";\n", i + 1 < length ? text[i + 1] : 0)) {
      size_t k = i + 1;
      while (k < length && text[k] == ' ') k++;
      if (k < length && text[k] != ';') out[n++] = ';';
    }
  }
  while (n && out[n - 1] == ';') n--;
  out[n] = 0;
}

static const Order *find_known (const char *text) {
  for (u32 k = 0; k < ARRAY_SIZE (known); k++)
    if (!strcmp (text, known[k].text)) return &known[k].order;
  return NULL;
}

/* asm ("" : "+r" (x)) hides a value from the compiler: the result is the argument it is tied to. */
static bool define_outputs (Lower *l, LLVMValueRef i, LLVMValueRef code) {
  if (LLVMGetTypeKind (LLVMTypeOf (i)) == LLVMVoidTypeKind) return true;
  size_t length;
  const char *constraints = LLVMGetInlineAsmConstraintString (code, &length);
  u32 bits;
  if (!memmem (constraints, length, ",0", 2) || LLVMGetNumArgOperands (i) != 1 ||
      !layout_is_scalar (LLVMTypeOf (i), &bits))
    return false;
  lower_define_scalar (l, i, lower_scalar (l, LLVMGetOperand (i, 0)));
  return true;
}

/* --------------------------------------------------------------------------------- x86 in full */

static bool is_x86 (Lower *l) { return !strncmp (LLVMGetTarget (l->module), "x86_64", 6); }

/* One item of the list of constraints: =q, =*m, ={ax}, ={@ccz}, {dx}, 1, ir. What stands for the
 * operand in the call, a pointer or a value, is NULL for results. */
static bool add_operand (Asm *a, const char *text, size_t length, LLVMValueRef value) {
  AsmOperand *o = &a->operands[a->noperands];
  u32 unused;
  bool is_output = *text == '=';
  *o = (AsmOperand){.kind = ASM_REGISTER, .slot = ASM_NAMED + a->noperands++};
  while (length && strchr ("=&*%", *text)) {
    if (*text == '*') o->kind = ASM_MEMORY;
    text++, length--;
  }
  o->is_result = is_output && o->kind != ASM_MEMORY;
  if (o->kind == ASM_MEMORY) {
    o->address = lower_scalar (a->l, value);
    return true;
  }
  if (length > 5 && length < 10 && !memcmp (text, "{@cc", 4)) {
    o->kind = ASM_CONDITION;
    snprintf (o->condition, sizeof o->condition, "%.*s", (int)length - 5, text + 4);
  } else if (length && isdigit ((unsigned char)*text)) {
    u32 other = (u32)atoi (text);
    if (other + 1 >= a->noperands || a->operands[other].kind != ASM_REGISTER) return false;
    o->slot = a->operands[other].slot;
  } else if (length && *text == '{') {
    if (!asm_register (text + 1, length - 2, &o->slot, &unused)) return false;
  }
  if (!value) return true;
  a->slots[o->slot] = lower_scalar (a->l, value);
  return layout_is_scalar (LLVMTypeOf (value), &o->bits);
}

static LLVMTypeRef result_type (LLVMValueRef i, u32 n) {
  LLVMTypeRef type = LLVMTypeOf (i);
  return LLVMGetTypeKind (type) == LLVMStructTypeKind ? LLVMStructGetTypeAtIndex (type, n) : type;
}

static bool read_constraints (Asm *a, LLVMValueRef i, LLVMValueRef code) {
  size_t length;
  const char *at = LLVMGetInlineAsmConstraintString (code, &length), *end = at + length;
  u32 args = 0, results = 0;
  for (size_t n; at < end; at += n + 1) {
    for (n = 0; at + n < end && at[n] != ',';) n++;
    if (*at == '~') {
      a->orders_memory |= n == 9 && !memcmp (at, "~{memory}", n);
      continue;
    }
    bool is_result = *at == '=' && !memchr (at, '*', n);
    if (!n || *at == '!' || a->noperands == ASM_OPERANDS) return false;
    if (!is_result && args == LLVMGetNumArgOperands (i)) return false;
    if (!add_operand (a, at, n, is_result ? NULL : LLVMGetOperand (i, args++))) return false;
    u32 *bits = &a->operands[a->noperands - 1].bits;
    if (is_result && !layout_is_scalar (result_type (i, results++), bits)) return false;
  }
  return true;
}

static bool define_results (Asm *a, LLVMValueRef i) {
  Operand values[ASM_OPERANDS];
  u32 n = 0;
  for (u32 k = 0; k < a->noperands; k++) {
    const AsmOperand *o = &a->operands[k];
    if (!o->is_result) continue;
    Operand value = o->kind == ASM_CONDITION ? x86_condition (a, o->condition) : a->slots[o->slot];
    if (value == OPERAND_NONE) return false;
    values[n++] = o->bits < 64 ? emit_cast (a->l, OP_TRUNC, 64, o->bits, value) : value;
  }
  if (LLVMGetTypeKind (LLVMTypeOf (i)) == LLVMVoidTypeKind) return true;
  Range r = range_start (a->l);
  for (u32 k = 0; k < n; k++) range_add (a->l, &r, values[k]);
  lower_define (a->l, i, r);
  return true;
}

static bool lower_x86 (Lower *l, LLVMValueRef i, LLVMValueRef code) {
  Asm a = {.l = l, .result = OPERAND_NONE, .carry = OPERAND_NONE};
  AsmInsn insn;
  size_t length;
  bool failed;
  const char *at = LLVMGetInlineAsmAsmString (code, &length), *end = at + length;
  for (u32 k = 0; k < ASM_SLOTS; k++) a.slots[k] = OPERAND_NONE;
  if (!is_x86 (l) || !read_constraints (&a, i, code)) return false;
  while (asm_next (&a, &at, end, &insn, &failed))
    if (!x86_lower (&a, &insn)) return false;
  return !failed && define_results (&a, i);
}

void lower_asm (Lower *l, LLVMValueRef i, LLVMValueRef code) {
  size_t length;
  const char *raw = LLVMGetInlineAsmAsmString (code, &length);
  char text[80];
  normalise (raw, length, text, sizeof text);
  const Order *order = length < sizeof text ? find_known (text) : NULL;
  if (order && define_outputs (l, i, code)) {
    if (*order != ORD_NA) emit (l, OP_FENCE)->order = (u8)*order;
  } else if (!lower_x86 (l, i, code)) {
    emit_unsupported (l, "inline assembly \"%.*s\"", (int)length, raw);
  }
}
