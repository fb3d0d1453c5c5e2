/* intrinsic.c - functions that LLVM itself knows. */
#include "front/lower.h"

typedef void Handler (Lower *l, LLVMValueRef i, u32 op, u32 op2);

#define UNUSED_OPS (void)op, (void)op2

static Operand arg (Lower *l, LLVMValueRef i, u32 n) {
  return lower_scalar (l, LLVMGetOperand (i, n));
}

/* "llvm.smax" matches "llvm.smax.i32" but not "llvm.smaximum". */
static bool is_named (const char *name, const char *pattern) {
  size_t n = strlen (pattern);
  return !strncmp (name, pattern, n) && (pattern[n - 1] == '.' || !name[n] || name[n] == '.');
}

bool is_intrinsic (LLVMValueRef i, const char *pattern) {
  LLVMValueRef f = LLVMIsACallInst (i) ? LLVMGetCalledValue (i) : NULL;
  size_t length;
  return f && LLVMIsAFunction (f) && is_named (LLVMGetValueName2 (f, &length), pattern);
}

static void ignore (Lower *l, LLVMValueRef i, u32 op, u32 op2) {
  UNUSED_OPS;
  (void)l, (void)i;
}

static void zero (Lower *l, LLVMValueRef i, u32 op, u32 op2) {
  UNUSED_OPS;
  lower_define_scalar (l, i, emit_int (l, 0));
}

/* Whether nothing is done from here to the return but ending scopes. */
static bool is_all_but_over (LLVMValueRef i) {
  enum { MOST_STEPS = 64 };
  for (u32 n = 0; i && n < MOST_STEPS; n++) {
    if (LLVMIsAReturnInst (i)) return true;
    bool is_jump = LLVMIsABranchInst (i) && !LLVMIsConditional (i);
    if (is_jump)
      i = LLVMGetFirstInstruction (LLVMGetSuccessor (i, 0));
    else if (LLVMIsAPHINode (i) || is_intrinsic (i, "llvm.lifetime.end") ||
             is_intrinsic (i, "llvm.dbg."))
      i = LLVMGetNextInstruction (i);
    else
      return false;
  }
  return false;
}

/* A variable whose scope is a block. One of the whole function is there from the start, and ends
 * when the function returns. */
static void scope (Lower *l, LLVMValueRef i, u32 op, u32 op2) {
  (void)op2;
  LLVMValueRef of = LLVMGetOperand (i, LLVMGetNumArgOperands (i) - 1);
  if (!LLVMIsAAllocaInst (of)) return;
  bool begins = op == BUILTIN_SCOPE_BEGIN;
  bool is_of_function = begins ? LLVMGetInstructionParent (i) == LLVMGetInstructionParent (of)
                               : is_all_but_over (LLVMGetNextInstruction (i));
  if (is_of_function) return;
  Operand address = lower_scalar (l, of);
  Insn *insn = emit_with_args (l, OP_BUILTIN, &address, 1);
  insn->sub = (u8)op;
  if (begins) insn->dst = address;
}

static void type_number (Lower *l, LLVMValueRef i, u32 op, u32 op2) {
  UNUSED_OPS;
  lower_typeid (l, i);
}

static void stack_mark (Lower *l, LLVMValueRef i, u32 op, u32 op2) {
  UNUSED_OPS;
  lower_define_scalar (l, i, emit_builtin (l, BUILTIN_STACK_MARK, NULL, 0, true));
}

static void stack_reset (Lower *l, LLVMValueRef i, u32 op, u32 op2) {
  UNUSED_OPS;
  Operand mark = arg (l, i, 0);
  emit_builtin (l, BUILTIN_STACK_RESET, &mark, 1, false);
}

static void fence (Lower *l, LLVMValueRef i, u32 op, u32 op2) {
  (void)i, (void)op2;
  emit (l, OP_FENCE)->order = (u8)op;
}

static void first_argument (Lower *l, LLVMValueRef i, u32 op, u32 op2) {
  UNUSED_OPS;
  lower_define (l, i, lower_value (l, LLVMGetOperand (i, 0)));
}

static void copy (Lower *l, LLVMValueRef i, u32 op, u32 op2) {
  (void)op2;
  lower_block_copy (l, op ? "memmove" : "memcpy", LLVMGetOperand (i, 0), LLVMGetOperand (i, 1),
                    LLVMGetOperand (i, 2));
}

static void set (Lower *l, LLVMValueRef i, u32 op, u32 op2) {
  UNUSED_OPS;
  lower_block_set (l, LLVMGetOperand (i, 0), LLVMGetOperand (i, 1), LLVMGetOperand (i, 2));
}

static void arguments (Lower *l, LLVMValueRef i, u32 op, u32 op2) {
  (void)op2;
  if (op)
    lower_va_copy (l, LLVMGetOperand (i, 0), LLVMGetOperand (i, 1));
  else
    lower_va_start (l, LLVMGetOperand (i, 0));
}

static void trap (Lower *l, LLVMValueRef i, u32 op, u32 op2) {
  UNUSED_OPS;
  (void)i;
  emit_builtin (l, BUILTIN_ABORT, NULL, 0, false);
}

/* The size is unknown: -1, or 0 if the caller asks for a lower bound. */
static void object_size (Lower *l, LLVMValueRef i, u32 op, u32 op2) {
  UNUSED_OPS;
  bool wants_minimum = LLVMConstIntGetZExtValue (LLVMGetOperand (i, 1)) != 0;
  lower_define_scalar (l, i, emit_int (l, wants_minimum ? 0 : SIZE_MASK (value_width (i) / 8)));
}

static void unary (Lower *l, LLVMValueRef i, u32 op, u32 op2) {
  (void)op2;
  lower_define_scalar (l, i, emit_un (l, (Op)op, value_width (i), arg (l, i, 0)));
}

static void absolute (Lower *l, LLVMValueRef i, u32 op, u32 op2) {
  UNUSED_OPS;
  u32 width = value_width (i);
  Operand a = arg (l, i, 0), nought = emit_int (l, 0);
  bool is_signed = l->is_source && LLVMConstIntGetZExtValue (LLVMGetOperand (i, 1));
  Operand minus = emit_bin (l, is_signed ? OP_SSUB : OP_SUB, width, nought, a);
  Operand is_negative = emit_bin (l, OP_SLT, width, a, nought);
  lower_define_scalar (l, i, emit_select (l, is_negative, minus, a));
}

/* Minimum (op2 = 0) or maximum (op2 = 1) by the comparison op. */
static void choose (Lower *l, LLVMValueRef i, u32 op, u32 op2) {
  Operand a = arg (l, i, 0), b = arg (l, i, 1);
  Operand less = emit_bin (l, (Op)op, value_width (i), a, b);
  lower_define_scalar (l, i, op2 ? emit_select (l, less, b, a) : emit_select (l, less, a, b));
}

static void float_absolute (Lower *l, LLVMValueRef i, u32 op, u32 op2) {
  UNUSED_OPS;
  u32 width = value_width (i);
  u64 mask = width == 32 ? 0x7fffffffull : ~0ull >> 1;
  Operand a = arg (l, i, 0);
  lower_define_scalar (l, i, emit_bin (l, OP_AND, width, a, emit_int (l, mask)));
}

static void multiply_add (Lower *l, LLVMValueRef i, u32 op, u32 op2) {
  UNUSED_OPS;
  Operand a = arg (l, i, 0), b = arg (l, i, 1), c = arg (l, i, 2);
  Operand product = emit_bin (l, OP_FMUL, value_width (i), a, b);
  lower_define_scalar (l, i, emit_bin (l, OP_FADD, value_width (i), product, c));
}

/* Each bit of the mask asks for a class of numbers, which is an interval of bit patterns. */
static void float_class (Lower *l, LLVMValueRef i, u32 op, u32 op2) {
  UNUSED_OPS;
  u32 width = value_width (LLVMGetOperand (i, 0)), mantissa = width == 32 ? 23 : 52;
  u64 sign = 1ull << (width - 1), infinity = sign - (1ull << mantissa);
  u64 quiet = infinity + (1ull << (mantissa - 1)), normal = 1ull << mantissa;
  const struct {
    u64 low, high;
    bool any_sign;
  } classes[] = {
      {infinity + 1, quiet - 1, true},
      {quiet, sign - 1, true},
      {sign + infinity, sign + infinity, false},
      {sign + normal, sign + infinity - 1, false},
      {sign + 1, sign + normal - 1, false},
      {sign, sign, false},
      {0, 0, false},
      {1, normal - 1, false},
      {normal, infinity - 1, false},
      {infinity, infinity, false},
  };
  u64 mask = LLVMConstIntGetZExtValue (LLVMGetOperand (i, 1));
  Operand a = arg (l, i, 0), result = emit_int (l, 0);
  Operand magnitude = emit_bin (l, OP_AND, width, a, emit_int (l, sign - 1));
  for (u32 k = 0; k < ARRAY_SIZE (classes); k++) {
    if (!(mask >> k & 1)) continue;
    Operand x = classes[k].any_sign ? magnitude : a;
    x = emit_bin (l, OP_SUB, width, x, emit_int (l, classes[k].low));
    x = emit_bin (l, OP_ULE, width, x, emit_int (l, classes[k].high - classes[k].low));
    result = emit_bin (l, OP_OR, 1, result, x);
  }
  lower_define_scalar (l, i, result);
}

enum {
#define MATH1(name) MATH_##name,
#define MATH2(name) MATH_##name,
#include "ir/math.def"
#undef MATH1
#undef MATH2
};

static Operand double_arg (Lower *l, LLVMValueRef i, u32 n) {
  if (n >= LLVMGetNumArgOperands (i)) return emit_int (l, 0);
  Operand a = arg (l, i, n);
  return value_width (i) == 32 ? emit_cast (l, OP_FPCONV, 32, 64, a) : a;
}

/* What clang has made of a function of <math.h>. */
static void library_function (Lower *l, LLVMValueRef i, u32 op, u32 op2) {
  (void)op2;
  Operand args[] = {emit_int (l, op), double_arg (l, i, 0), double_arg (l, i, 1)};
  Operand r = emit_builtin (l, BUILTIN_MATH, args, 3, true);
  if (value_width (i) == 32) r = emit_cast (l, OP_FPCONV, 64, 32, r);
  lower_define_scalar (l, i, r);
}

static void overflow (Lower *l, LLVMValueRef i, u32 op, u32 op2) {
  u32 width = value_width (LLVMGetOperand (i, 0));
  Operand a = arg (l, i, 0), b = arg (l, i, 1);
  Operand value = emit_bin (l, (Op)op, width, a, b);
  Operand flag = emit_bin (l, (Op)op2, width, a, b);
  Range r = range_start (l);
  range_add (l, &r, value);
  range_add (l, &r, flag);
  lower_define (l, i, r);
}

/* Unsigned arithmetic that stops at the end of its range. */
static void saturate (Lower *l, LLVMValueRef i, u32 op, u32 op2) {
  u32 width = value_width (i);
  Operand a = arg (l, i, 0), b = arg (l, i, 1);
  Operand value = emit_bin (l, (Op)op, width, a, b);
  Operand flag = emit_bin (l, (Op)op2, width, a, b);
  u64 most = width == 64 ? ~0ull : (1ull << width) - 1;
  lower_define_scalar (l, i, emit_select (l, flag, emit_int (l, op == OP_ADD ? most : 0), value));
}

/* Rotates. For fshl (a, b, n): a << n | b >> (width - n); shifts by the whole width give 0, as they
 * should. */
static void funnel (Lower *l, LLVMValueRef i, u32 op, u32 op2) {
  (void)op2;
  u32 width = value_width (i);
  Operand a = arg (l, i, 0), b = arg (l, i, 1);
  Operand n = emit_bin (l, OP_UREM, width, arg (l, i, 2), emit_int (l, width));
  Operand rest = emit_bin (l, OP_SUB, width, emit_int (l, width), n);
  bool left = op == OP_SHL;
  Operand high = emit_bin (l, OP_SHL, width, a, left ? n : rest);
  Operand low = emit_bin (l, OP_LSHR, width, b, left ? rest : n);
  lower_define_scalar (l, i, emit_bin (l, OP_OR, width, high, low));
}

static const struct {
  const char *name;
  Handler *handler;
  u32 op, op2;
} intrinsics[] = {
#define INTRINSIC(name, handler, op, op2) {name, handler, op, op2},
#include "front/intrinsics.def"
#undef INTRINSIC
};

void lower_intrinsic (Lower *l, LLVMValueRef i, const char *name) {
  for (u32 k = 0; k < ARRAY_SIZE (intrinsics); k++)
    if (is_named (name, intrinsics[k].name)) {
      intrinsics[k].handler (l, i, intrinsics[k].op, intrinsics[k].op2);
      return;
    }
  emit_unsupported (l, "intrinsic %s", name);
}
