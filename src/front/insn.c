/* insn.c - one LLVM instruction: arithmetic here, the rest handed to its file. */
#include "front/lower.h"

typedef void Handler (Lower *l, LLVMValueRef i, Op op);

static LLVMValueRef arg (LLVMValueRef i, u32 n) { return LLVMGetOperand (i, n); }

static void nothing (Lower *l, LLVMValueRef i, Op op) { (void)l, (void)i, (void)op; }

static void binary (Lower *l, LLVMValueRef i, Op op) {
  Operand a = lower_scalar (l, arg (i, 0)), b = lower_scalar (l, arg (i, 1));
  lower_define_scalar (l, i, emit_bin (l, op, value_width (i), a, b));
}

/* Signed numbers: those for which LLVM may assume that they do not overflow. In optimised code that
 * also holds for instructions whose results are not used. */
static void signed_binary (Lower *l, LLVMValueRef i, Op op) {
  bool is_signed = l->is_source && LLVMGetNSW (i);
  binary (l, i, !is_signed ? op : op == OP_ADD ? OP_SADD : op == OP_SUB ? OP_SSUB : OP_SMUL);
}

static bool is_constant_below (LLVMValueRef v, u32 limit) {
  return LLVMIsAConstantInt (v) && LLVMConstIntGetZExtValue (v) < limit;
}

static void shift (Lower *l, LLVMValueRef i, Op op) {
  u32 width = value_width (i);
  Operand a = lower_scalar (l, arg (i, 0)), b = lower_scalar (l, arg (i, 1));
  if (l->is_source && !is_constant_below (arg (i, 1), width)) b = emit_un (l, OP_INRANGE, width, b);
  lower_define_scalar (l, i, emit_bin (l, op, width, a, b));
}

static void unary (Lower *l, LLVMValueRef i, Op op) {
  Operand a = lower_scalar (l, arg (i, 0));
  lower_define_scalar (l, i, emit_un (l, op, value_width (i), a));
}

static void cast (Lower *l, LLVMValueRef i, Op op) {
  Operand a = lower_scalar (l, arg (i, 0));
  lower_define_scalar (l, i, emit_cast (l, op, value_width (arg (i, 0)), value_width (i), a));
}

/* Casts that keep the low bits: values are zero-extended already, so only narrowing costs an
 * instruction. */
static void same_bits (Lower *l, LLVMValueRef i, Op op) {
  (void)op;
  u32 from = value_width (arg (i, 0)), to = value_width (i);
  Range r = lower_value (l, arg (i, 0));
  if (to && from > to)
    lower_define_scalar (l, i, emit_cast (l, OP_TRUNC, from, to, range_get (l, r, 0)));
  else
    lower_define (l, i, r);
}

static void icmp (Lower *l, LLVMValueRef i, Op op) {
  static const struct {
    u8 op;
    bool swapped;
  } table[] = {
      [LLVMIntEQ] = {OP_EQ, false},   [LLVMIntNE] = {OP_NE, false},
      [LLVMIntUGT] = {OP_ULT, true},  [LLVMIntUGE] = {OP_ULE, true},
      [LLVMIntULT] = {OP_ULT, false}, [LLVMIntULE] = {OP_ULE, false},
      [LLVMIntSGT] = {OP_SLT, true},  [LLVMIntSGE] = {OP_SLE, true},
      [LLVMIntSLT] = {OP_SLT, false}, [LLVMIntSLE] = {OP_SLE, false},
  };
  LLVMIntPredicate p = LLVMGetICmpPredicate (i);
  Operand a = lower_scalar (l, arg (i, 0)), b = lower_scalar (l, arg (i, 1));
  op = (Op)table[p].op;
  u32 width = value_width (arg (i, 0));
  Operand r = table[p].swapped ? emit_bin (l, op, width, b, a) : emit_bin (l, op, width, a, b);
  lower_define_scalar (l, i, r);
}

static void fcmp (Lower *l, LLVMValueRef i, Op op) {
  Operand a = lower_scalar (l, arg (i, 0)), b = lower_scalar (l, arg (i, 1));
  (void)op;
  Insn *c = emit (l, OP_FCMP);
  c->width = (u8)value_width (arg (i, 0));
  c->sub = (u8)LLVMGetFCmpPredicate (i);
  c->a = a;
  c->b = b;
  lower_define_scalar (l, i, c->dst = emit_reg (l));
}

static void choose (Lower *l, LLVMValueRef i, Op op) {
  (void)op;
  Operand c = lower_scalar (l, arg (i, 0));
  Range a = lower_value (l, arg (i, 1)), b = lower_value (l, arg (i, 2)), r = range_start (l);
  for (u32 k = 0; k < a.count && k < b.count; k++)
    range_add (l, &r, emit_select (l, c, range_get (l, a, k), range_get (l, b, k)));
  lower_define (l, i, r);
}

static void extract (Lower *l, LLVMValueRef i, Op op) {
  (void)op;
  Range all = lower_value (l, arg (i, 0));
  Range part = layout_path (l, LLVMTypeOf (arg (i, 0)), LLVMGetIndices (i), LLVMGetNumIndices (i));
  if (part.first + part.count > all.count) {
    BUG_IF (!l->was_cut);
    return;
  }
  lower_define (l, i, (Range){all.first + part.first, part.count});
}

static void insert (Lower *l, LLVMValueRef i, Op op) {
  (void)op;
  Range all = lower_value (l, arg (i, 0)), item = lower_value (l, arg (i, 1));
  Range part = layout_path (l, LLVMTypeOf (arg (i, 0)), LLVMGetIndices (i), LLVMGetNumIndices (i));
  Range r = range_start (l);
  for (u32 k = 0; k < all.count; k++) {
    bool inside = k >= part.first && k - part.first < item.count && k - part.first < part.count;
    range_add (l, &r, inside ? range_get (l, item, k - part.first) : range_get (l, all, k));
  }
  lower_define (l, i, r);
}

static void memory (Lower *l, LLVMValueRef i, Op op) {
  (void)op;
  if (LLVMIsALoadInst (i))
    lower_load (l, i);
  else if (LLVMIsAStoreInst (i))
    lower_store (l, i);
  else if (LLVMIsAAllocaInst (i))
    lower_alloca (l, i);
  else if (LLVMIsAAtomicRMWInst (i))
    lower_rmw (l, i);
  else if (LLVMIsAAtomicCmpXchgInst (i))
    lower_cmpxchg (l, i);
  else if (LLVMIsAFenceInst (i))
    lower_fence (l, i);
  else
    lower_define_scalar (l, i, lower_gep (l, i));
}

static void control (Lower *l, LLVMValueRef i, Op op) {
  (void)op;
  if (LLVMIsABranchInst (i))
    lower_br (l, i);
  else if (LLVMIsASwitchInst (i))
    lower_switch (l, i);
  else if (LLVMIsAIndirectBrInst (i))
    lower_indirect (l, i);
  else if (LLVMIsAReturnInst (i))
    lower_ret (l, i);
  else
    emit (l, OP_UNREACHABLE);
}

static void call (Lower *l, LLVMValueRef i, Op op) {
  (void)op;
  lower_call (l, i);
}

static void exception (Lower *l, LLVMValueRef i, Op op) {
  (void)op;
  (LLVMIsALandingPadInst (i) ? lower_landingpad : lower_resume) (l, i);
}

static const struct {
  Handler *handler;
  Op op;
} handlers[] = {
#define INSN(name, function, op) [LLVM##name] = {function, (Op)op},
#include "front/insns.def"
#undef INSN
};

/* "  %3 = va_arg ptr %2, i32" -> "va_arg" */
static void refuse (Lower *l, LLVMValueRef i) {
  char *text = LLVMPrintValueToString (i), *name = text, *equals = strstr (text, " = ");
  if (equals) name = equals + 3;
  name += strspn (name, " ");
  emit_unsupported (l, "instruction %.*s", (int)strcspn (name, " \n"), name);
  LLVMDisposeMessage (text);
}

static bool is_usable_type (Lower *l, LLVMTypeRef type) {
  u32 bits;
  LLVMTypeKind kind = LLVMGetTypeKind (type);
  if (kind == LLVMVoidTypeKind || layout_is_scalar (type, &bits)) return true;
  if (kind == LLVMLabelTypeKind || kind == LLVMMetadataTypeKind) return true;
  Leaves leaves = {0};
  Str why = {0};
  bool ok = layout_leaves (l, type, &leaves, &why);
  if (!ok) emit_unsupported (l, "%s", why.text);
  vec_free (&leaves);
  str_free (&why);
  return ok;
}

static bool has_usable_types (Lower *l, LLVMValueRef i) {
  if (!is_usable_type (l, LLVMTypeOf (i))) return false;
  for (u32 k = 0; k < (u32)LLVMGetNumOperands (i); k++)
    if (!is_usable_type (l, LLVMTypeOf (LLVMGetOperand (i, k)))) return false;
  return true;
}

void lower_insn (Lower *l, LLVMValueRef i) {
  if (l->is_closed) return;
  u32 pos = lower_position (l, i);
  if (pos) l->pos = pos;
  LLVMOpcode op = LLVMGetInstructionOpcode (i);
  if ((u32)op >= ARRAY_SIZE (handlers) || !handlers[op].handler)
    refuse (l, i);
  else if (has_usable_types (l, i) && !(lower_uses_pair (i) && lower_pair_insn (l, i)))
    handlers[op].handler (l, i, handlers[op].op);
}
