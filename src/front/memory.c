/* memory.c - loads, stores, atomics and addresses. */
#include "front/lower.h"

const u8 lower_orders[] = {
    [LLVMAtomicOrderingNotAtomic] = ORD_NA,
    [LLVMAtomicOrderingUnordered] = ORD_RLX,
    [LLVMAtomicOrderingMonotonic] = ORD_RLX,
    [LLVMAtomicOrderingAcquire] = ORD_ACQ,
    [LLVMAtomicOrderingRelease] = ORD_REL,
    [LLVMAtomicOrderingAcquireRelease] = ORD_ACQ_REL,
    [LLVMAtomicOrderingSequentiallyConsistent] = ORD_SC,
};

static u8 volatile_flag (LLVMValueRef i) { return LLVMGetVolatile (i) ? INSN_VOLATILE : 0; }

/* Odd sizes (bit-fields of 24 bits and the like) are accessed in pieces of a power of two. */
static u32 piece (u32 left) { return left >= 8 ? 8 : left >= 4 ? 4 : left >= 2 ? 2 : 1; }

Operand lower_load_leaf (Lower *l, Leaf leaf, Operand base, Order order, u8 flags) {
  Operand value = OPERAND_NONE;
  for (u32 done = 0, n; done < leaf.bytes; done += n) {
    n = piece (leaf.bytes - done);
    Operand part = emit_load (l, n, emit_address (l, base, leaf.offset + done), order, flags);
    if (done) {
      part = emit_bin (l, OP_SHL, 64, part, emit_int (l, 8 * done));
      value = emit_bin (l, OP_OR, 64, value, part);
    } else {
      value = part;
    }
  }
  return leaf.bits % 8 ? emit_cast (l, OP_TRUNC, 8u * leaf.bytes, leaf.bits, value) : value;
}

void lower_store_leaf (Lower *l, Leaf leaf, Operand base, Operand value, Order order, u8 flags) {
  for (u32 done = 0, n; done < leaf.bytes; done += n) {
    n = piece (leaf.bytes - done);
    Operand part = value;
    if (done) part = emit_bin (l, OP_LSHR, 64, part, emit_int (l, 8 * done));
    if (n < leaf.bytes) part = emit_cast (l, OP_TRUNC, 64, 8 * n, part);
    emit_store (l, n, emit_address (l, base, leaf.offset + done), part, order, flags);
  }
}

void lower_load (Lower *l, LLVMValueRef i) {
  Leaves leaves = {0};
  Str why = {0};
  VEC (Operand) parts = {0};
  Operand base = lower_scalar (l, LLVMGetOperand (i, 0));
  layout_leaves (l, LLVMTypeOf (i), &leaves, &why);
  for (u32 k = 0; k < leaves.size; k++) {
    Operand o = lower_load_leaf (l, leaves.data[k], base, (Order)lower_orders[LLVMGetOrdering (i)],
                                 volatile_flag (i));
    vec_push (&parts, o);
  }
  Range r = range_start (l);
  for (u32 k = 0; k < parts.size; k++) range_add (l, &r, parts.data[k]);
  lower_define (l, i, r);
  vec_free (&leaves);
  vec_free (&parts);
  str_free (&why);
}

void lower_store (Lower *l, LLVMValueRef i) {
  Leaves leaves = {0};
  Str why = {0};
  LLVMValueRef v = LLVMGetOperand (i, 0);
  Range r = lower_value (l, v);
  Operand base = lower_scalar (l, LLVMGetOperand (i, 1));
  if (!layout_leaves (l, LLVMTypeOf (v), &leaves, &why)) emit_unsupported (l, "%s", why.text);
  for (u32 k = 0; k < leaves.size && k < r.count; k++)
    lower_store_leaf (l, leaves.data[k], base, range_get (l, r, k),
                      (Order)lower_orders[LLVMGetOrdering (i)], volatile_flag (i));
  vec_free (&leaves);
  str_free (&why);
}

void lower_rmw (Lower *l, LLVMValueRef i) {
  static const u8 ops[] = {
      [LLVMAtomicRMWBinOpXchg] = RMW_XCHG, [LLVMAtomicRMWBinOpAdd] = RMW_ADD,
      [LLVMAtomicRMWBinOpSub] = RMW_SUB,   [LLVMAtomicRMWBinOpAnd] = RMW_AND,
      [LLVMAtomicRMWBinOpNand] = RMW_NAND, [LLVMAtomicRMWBinOpOr] = RMW_OR,
      [LLVMAtomicRMWBinOpXor] = RMW_XOR,   [LLVMAtomicRMWBinOpMax] = RMW_MAX,
      [LLVMAtomicRMWBinOpMin] = RMW_MIN,   [LLVMAtomicRMWBinOpUMax] = RMW_UMAX,
      [LLVMAtomicRMWBinOpUMin] = RMW_UMIN,
  };
  LLVMAtomicRMWBinOp op = LLVMGetAtomicRMWBinOp (i);
  Operand a = lower_scalar (l, LLVMGetOperand (i, 0)), b = lower_scalar (l, LLVMGetOperand (i, 1));
  if (op >= ARRAY_SIZE (ops)) {
    emit_unsupported (l, "atomic read-modify-write of floating point");
    return;
  }
  Insn *rmw = emit (l, OP_RMW);
  rmw->width = (u8)(value_width (i) / 8);
  rmw->sub = ops[op];
  rmw->order = lower_orders[LLVMGetOrdering (i)];
  rmw->flags = volatile_flag (i);
  rmw->a = a;
  rmw->b = b;
  lower_define_scalar (l, i, rmw->dst = emit_reg (l));
}

/* { old value, success }: what was found decides, so success needs no result of its own. */
void lower_cmpxchg (Lower *l, LLVMValueRef i) {
  Operand a = lower_scalar (l, LLVMGetOperand (i, 0)), b = lower_scalar (l, LLVMGetOperand (i, 1)),
          c = lower_scalar (l, LLVMGetOperand (i, 2));
  u32 bits = value_width (LLVMGetOperand (i, 1));
  Insn *cas = emit (l, OP_CAS);
  cas->width = (u8)(bits / 8);
  cas->order = lower_orders[LLVMGetCmpXchgSuccessOrdering (i)];
  cas->order2 = lower_orders[LLVMGetCmpXchgFailureOrdering (i)];
  cas->flags = (u8)(volatile_flag (i) | (LLVMGetWeak (i) ? INSN_WEAK : 0));
  cas->a = a;
  cas->b = b;
  cas->c = c;
  Operand old = cas->dst = emit_reg (l);
  Operand flag = emit_bin (l, OP_EQ, bits, old, b);
  Range r = range_start (l);
  range_add (l, &r, old);
  range_add (l, &r, flag);
  lower_define (l, i, r);
}

/* A fence between a thread and its own signal handlers orders nothing for others. */
void lower_fence (Lower *l, LLVMValueRef i) {
  if (LLVMIsAtomicSingleThread (i)) return;
  emit (l, OP_FENCE)->order = lower_orders[LLVMGetOrdering (i)];
}

void lower_alloca (Lower *l, LLVMValueRef i) {
  u64 item = layout_size (l, LLVMGetAllocatedType (i));
  LLVMValueRef count = LLVMGetOperand (i, 0);
  Operand n = lower_scalar (l, count), size;
  if (LLVMIsAConstantInt (count))
    size = emit_int (l, item * LLVMConstIntGetZExtValue (count));
  else
    size = emit_bin (l, OP_MUL, 64, n, emit_int (l, item));
  Insn *alloca = emit (l, OP_ALLOCA);
  u32 align = LLVMGetAlignment (i);
  alloca->a = size;
  alloca->sub = align > 16 ? (u8)__builtin_ctz (align) : 0;
  if (!l->is_closed) lower_local_debug (l, i, alloca);
  lower_define_scalar (l, i, alloca->dst = emit_reg (l));
}

static Operand element (Lower *l, Operand base, LLVMValueRef index, u64 size) {
  u32 width = value_width (index);
  Operand n = lower_scalar (l, index);
  if (width < 64) n = emit_cast (l, OP_SEXT, width, 64, n);
  return emit_index (l, base, n, size);
}

/* Instructions and constant expressions alike. Constant offsets are collected; they come last. */
Operand lower_gep (Lower *l, LLVMValueRef i) {
  Operand base = lower_scalar (l, LLVMGetOperand (i, 0));
  LLVMTypeRef type = LLVMGetGEPSourceElementType (i);
  u64 offset = 0;
  for (u32 k = 1; k < (u32)LLVMGetNumOperands (i); k++) {
    LLVMValueRef index = LLVMGetOperand (i, k);
    bool is_const = LLVMIsAConstantInt (index) != NULL;
    if (!value_width (index)) {
      emit_unsupported (l, "index of more than 64 bits or of a vector type");
      return base;
    }
    if (k > 1 && LLVMGetTypeKind (type) == LLVMStructTypeKind) {
      unsigned n = (unsigned)LLVMConstIntGetZExtValue (index);
      offset += LLVMOffsetOfElement (l->layout, type, n);
      type = LLVMStructGetTypeAtIndex (type, n);
      continue;
    }
    if (k > 1) type = LLVMGetElementType (type);
    u64 size = layout_size (l, type);
    if (is_const)
      offset += (u64)LLVMConstIntGetSExtValue (index) * size;
    else
      base = element (l, base, index, size);
  }
  return emit_address (l, base, offset);
}
