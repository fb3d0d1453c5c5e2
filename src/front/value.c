/* value.c - the operands that stand for an LLVM value. */
#include "front/lower.h"

Range range_start (Lower *l) { return (Range){l->operands.size, 0}; }

void range_add (Lower *l, Range *r, Operand o) {
  assert (r->first + r->count == l->operands.size);
  vec_push (&l->operands, o);
  r->count++;
}

Operand range_get (const Lower *l, Range r, u32 i) {
  BUG_IF (i >= r.count);
  return l->operands.data[r.first + i];
}

void lower_define (Lower *l, LLVMValueRef v, Range r) {
  map_put (&l->values, (u64)(uintptr_t)v, (u64)r.first << 32 | r.count);
}

void lower_define_scalar (Lower *l, LLVMValueRef v, Operand o) {
  Range r = range_start (l);
  range_add (l, &r, o);
  lower_define (l, v, r);
}

u32 value_width (LLVMValueRef v) {
  u32 bits;
  return layout_is_scalar (LLVMTypeOf (v), &bits) ? bits : 0;
}

static u64 float_bits (LLVMValueRef v) {
  LLVMBool loses;
  double d = LLVMConstRealGetDouble (v, &loses);
  u64 bits = 0;
  if (LLVMGetTypeKind (LLVMTypeOf (v)) == LLVMFloatTypeKind) {
    float f = (float)d;
    memcpy (&bits, &f, sizeof f);
  } else {
    memcpy (&bits, &d, sizeof d);
  }
  return bits;
}

static Operand lower_tls (Lower *l, u32 global) {
  Insn *i = emit (l, OP_TLS);
  i->b = (Operand)global;
  return i->dst = emit_reg (l);
}

/* Constant expressions that are not simply an address with an offset are computed where they are
 * used. */
static Operand lower_constexpr (Lower *l, LLVMValueRef v) {
  LLVMOpcode op = LLVMGetConstOpcode (v);
  if (op == LLVMGetElementPtr) return lower_gep (l, v);
  Operand a = lower_scalar (l, LLVMGetOperand (v, 0));
  u32 from = value_width (LLVMGetOperand (v, 0)), to = value_width (v);
  if (!from || !to) {
    emit_unsupported (l, "constant expression of an unusual type");
    return emit_int (l, 0);
  }
  if (op == LLVMPtrToInt || op == LLVMIntToPtr || op == LLVMBitCast || op == LLVMTrunc ||
      op == LLVMAddrSpaceCast)
    return to < from ? emit_cast (l, OP_TRUNC, from, to, a) : a;
  if (op == LLVMAdd || op == LLVMSub || op == LLVMMul || op == LLVMXor) {
    Op o = op == LLVMAdd ? OP_ADD : op == LLVMSub ? OP_SUB : op == LLVMMul ? OP_MUL : OP_XOR;
    return emit_bin (l, o, to, a, lower_scalar (l, LLVMGetOperand (v, 1)));
  }
  char *text = LLVMPrintValueToString (v);
  emit_unsupported (l, "constant expression %.200s", text);
  LLVMDisposeMessage (text);
  return emit_int (l, 0);
}

static Operand lower_scalar_constant (Lower *l, LLVMValueRef v) {
  Const c;
  u32 g;
  if (LLVMIsUndef (v)) return emit_un (l, OP_UNDEF, value_width (v), emit_int (l, 0));
  if (LLVMIsAConstantFP (v)) return emit_int (l, float_bits (v));
  if (constant_is_global (l, v, &g)) {
    if (l->refusals.data[g]) emit_unsupported (l, "%s", l->refusals.data[g]);
    if (l->p->globals.data[g].is_tls) return lower_tls (l, g);
  }
  if (constant_fold (l, v, &c)) {
    if (c.kind == CONST_GLOBAL && l->refusals.data[c.index])
      emit_unsupported (l, "%s", l->refusals.data[c.index]);
    return emit_const (l, c);
  }
  if (LLVMIsAConstantExpr (v)) return lower_constexpr (l, v);
  char *text = LLVMPrintValueToString (v);
  text[strcspn (text, "\n")] = 0;
  emit_unsupported (l, "constant %.200s", text);
  LLVMDisposeMessage (text);
  return emit_int (l, 0);
}

/* The parts of a part are complete before the next part starts, but constant expressions may use
 * l->operands in between; so parts are collected aside. */
typedef VEC (Operand) Parts;
static void collect_constant (Lower *l, LLVMValueRef v, LLVMTypeRef type, Parts *parts) {
  u32 bits;
  if (layout_is_scalar (type, &bits)) {
    Operand o = lower_scalar_constant (l, v);
    vec_push (parts, o);
    return;
  }
  if (layout_is_pair (type)) {
    u64 low, high;
    constant_pair (v, &low, &high);
    vec_push (parts, emit_int (l, low));
    vec_push (parts, emit_int (l, high));
    return;
  }
  bool is_struct = LLVMGetTypeKind (type) == LLVMStructTypeKind;
  u64 n = is_struct ? LLVMCountStructElementTypes (type) : LLVMGetArrayLength2 (type);
  for (u32 i = 0; i < n; i++) {
    LLVMValueRef item = LLVMGetAggregateElement (v, i);
    LLVMTypeRef t = is_struct ? LLVMStructGetTypeAtIndex (type, i) : LLVMGetElementType (type);
    collect_constant (l, item ? item : LLVMGetUndef (t), t, parts);
  }
}

static Range lower_constant (Lower *l, LLVMValueRef v) {
  Leaves leaves = {0};
  Str why = {0};
  Parts parts = {0};
  bool ok = layout_leaves (l, LLVMTypeOf (v), &leaves, &why);
  if (!ok)
    emit_unsupported (l, "%s", why.text);
  else
    collect_constant (l, v, LLVMTypeOf (v), &parts);
  Range r = range_start (l);
  for (u32 i = 0; i < parts.size; i++) range_add (l, &r, parts.data[i]);
  if (!ok) range_add (l, &r, emit_int (l, 0));
  vec_free (&leaves);
  vec_free (&parts);
  str_free (&why);
  return r;
}

/* Code after an UNSUPPORTED may use what was never lowered; it cannot be reached. */
static Range lower_missing (Lower *l, LLVMValueRef v) {
  BUG_IF (!l->was_cut);
  Leaves leaves = {0};
  Str why = {0};
  layout_leaves (l, LLVMTypeOf (v), &leaves, &why);
  Operand zero = emit_int (l, 0);
  Range r = range_start (l);
  for (u32 i = 0; i < leaves.size || i < 1; i++) range_add (l, &r, zero);
  vec_free (&leaves);
  str_free (&why);
  return r;
}

Range lower_value (Lower *l, LLVMValueRef v) {
  u64 packed;
  if (map_get (&l->values, (u64)(uintptr_t)v, &packed))
    return (Range){(u32)(packed >> 32), (u32)packed};
  if (LLVMIsConstant (v)) return lower_constant (l, v);
  return lower_missing (l, v);
}

Operand lower_scalar (Lower *l, LLVMValueRef v) {
  Range r = lower_value (l, v);
  return r.count ? range_get (l, r, 0) : emit_int (l, 0);
}
