/* layout.c - LLVM types as lists of scalars. */
#include "front/lower.h"

u64 layout_size (Lower *l, LLVMTypeRef type) { return LLVMABISizeOfType (l->layout, type); }

/* What a register can hold. */
bool layout_is_scalar (LLVMTypeRef type, u32 *bits) {
  LLVMTypeKind kind = LLVMGetTypeKind (type);
  *bits = 64;
  if (kind == LLVMFloatTypeKind) *bits = 32;
  if (kind == LLVMIntegerTypeKind) *bits = LLVMGetIntTypeWidth (type);
  return kind == LLVMPointerTypeKind || kind == LLVMDoubleTypeKind || kind == LLVMFloatTypeKind ||
         (kind == LLVMIntegerTypeKind && *bits <= 64);
}

/* Integers of 128 bits are two registers, the lower half first. */
bool layout_is_pair (LLVMTypeRef type) {
  return LLVMGetTypeKind (type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth (type) == 128;
}

static bool refuse (LLVMTypeRef type, Str *why) {
  char *text = LLVMPrintTypeToString (type);
  LLVMTypeKind kind = LLVMGetTypeKind (type);
  const char *what = kind == LLVMVectorTypeKind || kind == LLVMScalableVectorTypeKind
                         ? "vector type"
                     : kind == LLVMX86_FP80TypeKind || kind == LLVMFP128TypeKind ? "long double"
                     : kind == LLVMIntegerTypeKind ? "integer of an unusual width"
                                                   : "type";
  str_printf (why, "%s %s", what, text);
  LLVMDisposeMessage (text);
  return false;
}

static bool add_leaves (Lower *l, LLVMTypeRef type, u64 offset, Leaves *out, Str *why) {
  u32 bits;
  if (layout_is_scalar (type, &bits)) {
    LLVMTypeKind kind = LLVMGetTypeKind (type);
    Leaf leaf = {.offset = offset,
                 .bits = (u8)bits,
                 .bytes = (u8)((bits + 7) / 8),
                 .is_float = kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind};
    vec_push (out, leaf);
    return true;
  }
  if (layout_is_pair (type)) {
    Leaf low = {.offset = offset, .bits = 64, .bytes = 8}, high = low;
    high.offset += 8;
    vec_push (out, low);
    vec_push (out, high);
    return true;
  }
  if (LLVMGetTypeKind (type) == LLVMStructTypeKind) {
    for (u32 i = 0; i < LLVMCountStructElementTypes (type); i++)
      if (!add_leaves (l, LLVMStructGetTypeAtIndex (type, i),
                       offset + LLVMOffsetOfElement (l->layout, type, i), out, why))
        return false;
    return true;
  }
  if (LLVMGetTypeKind (type) == LLVMArrayTypeKind) {
    LLVMTypeRef item = LLVMGetElementType (type);
    u64 n = LLVMGetArrayLength2 (type), size = layout_size (l, item);
    if (n > 4096) return refuse (type, why); /* no ABI passes such arrays in registers */
    for (u64 i = 0; i < n; i++)
      if (!add_leaves (l, item, offset + i * size, out, why)) return false;
    return true;
  }
  return LLVMGetTypeKind (type) == LLVMVoidTypeKind || refuse (type, why);
}

/* The scalars that a value of this type consists of; false, and why, if it cannot be
 * represented. */
bool layout_leaves (Lower *l, LLVMTypeRef type, Leaves *out, Str *why) {
  return add_leaves (l, type, 0, out, why);
}

static u32 count_leaves (Lower *l, LLVMTypeRef type) {
  Leaves leaves = {0};
  Str why = {0};
  u32 n = layout_leaves (l, type, &leaves, &why) ? leaves.size : 0;
  vec_free (&leaves);
  str_free (&why);
  return n;
}

/* Which leaves of an aggregate the path of an insertvalue or extractvalue selects. */
Range layout_path (Lower *l, LLVMTypeRef type, const unsigned *indices, u32 n) {
  Range r = {0};
  for (u32 i = 0; i < n; i++) {
    if (LLVMGetTypeKind (type) == LLVMStructTypeKind) {
      for (u32 k = 0; k < indices[i]; k++)
        r.first += count_leaves (l, LLVMStructGetTypeAtIndex (type, k));
      type = LLVMStructGetTypeAtIndex (type, indices[i]);
    } else {
      type = LLVMGetElementType (type);
      r.first += indices[i] * count_leaves (l, type);
    }
  }
  r.count = count_leaves (l, type);
  return r;
}
