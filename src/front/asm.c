/* asm.c - the inline assembly that concurrent code uses: barriers and hints. */
#include <ctype.h>
#include "front/lower.h"

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

void lower_asm (Lower *l, LLVMValueRef i, LLVMValueRef code) {
  size_t length;
  const char *raw = LLVMGetInlineAsmAsmString (code, &length);
  char text[80];
  normalise (raw, length, text, sizeof text);
  const Order *order = length < sizeof text ? find_known (text) : NULL;
  if (!order || !define_outputs (l, i, code))
    emit_unsupported (l, "inline assembly \"%.*s\"", (int)length, raw);
  else if (*order != ORD_NA)
    emit (l, OP_FENCE)->order = (u8)*order;
}
