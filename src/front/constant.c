/* constant.c - constants that are an integer, or the address of something plus an offset. */
#include "front/lower.h"

static LLVMValueRef resolve_alias (LLVMValueRef v) {
  while (LLVMIsAGlobalAlias (v)) v = LLVMAliasGetAliasee (v);
  return v;
}

bool constant_is_global (Lower *l, LLVMValueRef v, u32 *index) {
  u64 g;
  v = resolve_alias (v);
  if (!map_get (&l->globals, (u64)(uintptr_t)v, &g)) return false;
  *index = (u32)g;
  return true;
}

/* The value of &&label: the number of the block in its function, from 1. */
u64 constant_label (LLVMBasicBlockRef b) {
  u64 n = 1;
  while ((b = LLVMGetPreviousBasicBlock (b))) n++;
  return n;
}

static u64 mask_to (LLVMValueRef v) {
  u32 bits = value_width (v);
  return bits >= 64 ? ~0ull : (1ull << bits) - 1;
}

static bool fold_gep (Lower *l, LLVMValueRef v, Const *out) {
  if (!constant_fold (l, LLVMGetOperand (v, 0), out)) return false;
  LLVMTypeRef type = LLVMGetGEPSourceElementType (v);
  for (u32 i = 1; i < (u32)LLVMGetNumOperands (v); i++) {
    LLVMValueRef index = LLVMGetOperand (v, i);
    if (!LLVMIsAConstantInt (index) || LLVMGetIntTypeWidth (LLVMTypeOf (index)) > 64) return false;
    u64 n = (u64)LLVMConstIntGetSExtValue (index);
    if (i > 1 && LLVMGetTypeKind (type) == LLVMStructTypeKind) {
      out->value += LLVMOffsetOfElement (l->layout, type, (unsigned)n);
      type = LLVMStructGetTypeAtIndex (type, (unsigned)n);
    } else {
      if (i > 1) type = LLVMGetElementType (type);
      out->value += n * layout_size (l, type);
    }
  }
  return true;
}

static bool fold_arithmetic (Lower *l, LLVMValueRef v, Const *out) {
  Const a, b;
  LLVMOpcode op = LLVMGetConstOpcode (v);
  if (!constant_fold (l, LLVMGetOperand (v, 0), &a) ||
      !constant_fold (l, LLVMGetOperand (v, 1), &b))
    return false;
  if (op == LLVMSub && b.kind != CONST_INT) { /* two addresses in one object */
    if (a.kind != b.kind || a.index != b.index) return false;
    *out = (Const){.kind = CONST_INT, .value = (a.value - b.value) & mask_to (v)};
    return true;
  }
  if (a.kind != CONST_INT && b.kind != CONST_INT) return false;
  if (op != LLVMAdd && (op != LLVMSub || b.kind != CONST_INT)) return false;
  *out = a.kind != CONST_INT ? a : b;
  out->value = op == LLVMAdd ? a.value + b.value : a.value - b.value;
  if (out->kind == CONST_INT) out->value &= mask_to (v);
  return true;
}

static bool fold_constexpr (Lower *l, LLVMValueRef v, Const *out) {
  LLVMOpcode op = LLVMGetConstOpcode (v);
  if (op == LLVMGetElementPtr) return fold_gep (l, v, out);
  if (op == LLVMAdd || op == LLVMSub) return fold_arithmetic (l, v, out);
  bool is_cast = op == LLVMPtrToInt || op == LLVMIntToPtr || op == LLVMBitCast || op == LLVMTrunc ||
                 op == LLVMAddrSpaceCast;
  if (!is_cast || !value_width (v) || !constant_fold (l, LLVMGetOperand (v, 0), out)) return false;
  if (out->kind == CONST_INT) out->value &= mask_to (v);
  return out->kind == CONST_INT || value_width (v) == 64;
}

/* Thread-local variables have no constant address; the caller handles them. */
bool constant_fold (Lower *l, LLVMValueRef v, Const *out) {
  u32 g;
  v = resolve_alias (v);
  *out = (Const){.kind = CONST_INT};
  if (LLVMIsAConstantPointerNull (v) || LLVMIsUndef (v)) return true;
  if (LLVMIsAConstantInt (v)) {
    if (LLVMGetIntTypeWidth (LLVMTypeOf (v)) > 64) return false;
    out->value = LLVMConstIntGetZExtValue (v);
    return true;
  }
  if (LLVMIsABlockAddress (v)) {
    out->value = constant_label (LLVMValueAsBasicBlock (LLVMGetOperand (v, 1)));
    return true;
  }
  if (LLVMIsAFunction (v)) {
    *out = (Const){.kind = CONST_FUNC, .index = lower_function_index (l, v)};
    return true;
  }
  if (constant_is_global (l, v, &g)) {
    *out = (Const){.kind = CONST_GLOBAL, .index = g};
    return !l->p->globals.data[g].is_tls;
  }
  return LLVMIsAConstantExpr (v) && fold_constexpr (l, v, out);
}
