/* global.c - global variables and their initial bytes. */
#include "front/lower.h"

static char *printed (const char *format, const char *name) {
  Str s = {0};
  str_add (&s, format);
  str_add (&s, name);
  return s.text;
}

enum { UNKNOWN_SIZE = 1 << 20 }; /* of "extern int a[];", for telling its address from others */

/* The reason why the variable must not be accessed, or NULL. */
static char *refuse_global (Global *g) {
  char *refusal = NULL;
  if (g->size > MAX_GLOBAL_SIZE) {
    refusal = printed ("variable of more than 1 GB: ", g->name);
    g->size = 8;
  } else if (g->align > MAX_ALIGN)
    refusal = printed ("variable with an alignment of more than 1 MB: ", g->name);
  if (g->align > MAX_ALIGN) g->align = MAX_ALIGN;
  return refusal;
}

static void declare_global (Lower *l, LLVMValueRef g) {
  Str name = {0};
  lower_symbol (l, g, "global", l->p->globals.size, &name);
  Global out = {.name = name.text};
  LLVMTypeRef type = LLVMGlobalGetValueType (g);
  bool has_size = LLVMTypeIsSized (type);
  out.size = has_size ? layout_size (l, type) : 0;
  u32 asked = LLVMGetAlignment (g);
  out.align = asked ? asked : has_size ? LLVMABIAlignmentOfType (l->layout, type) : 1;
  out.is_tls = LLVMIsThreadLocal (g);
  out.is_const = LLVMIsGlobalConstant (g);
  out.linkage = (u8)lower_linkage (g);
  out.is_extern = !LLVMGetInitializer (g);
  if (out.is_extern && !out.size) out.size = UNKNOWN_SIZE;
  out.title = lower_title (out.name);
  char *refusal = refuse_global (&out);
  if (!l->is_runtime) lower_global_debug (l, g, &out);
  map_put (&l->globals, (u64)(uintptr_t)g, l->p->globals.size);
  vec_push (&l->p->globals, out);
  vec_push (&l->refusals, refusal);
}

void lower_declare_globals (Lower *l) {
  for (LLVMValueRef g = LLVMGetFirstGlobal (l->module); g; g = LLVMGetNextGlobal (g)) {
    size_t length;
    const char *name = LLVMGetValueName2 (g, &length);
    if (strncmp (name, "llvm.", 5)) declare_global (l, g);
  }
}

static void put_int (Global *g, u64 offset, u64 value, u32 bytes) {
  for (u32 i = 0; i < bytes; i++) g->init[offset + i] = (u8)(value >> (8 * i));
}

static bool put_scalar (Lower *l, Global *g, LLVMValueRef v, u64 offset) {
  u32 bits = value_width (v);
  Const c;
  if (LLVMIsAConstantFP (v)) {
    Operand o = lower_scalar (l, v);
    c = l->p->consts.data[operand_const_index (o)];
  } else if (!constant_fold (l, v, &c)) {
    return false;
  }
  if (c.kind == CONST_INT) {
    put_int (g, offset, c.value, (bits + 7) / 8);
    return true;
  }
  Reloc r = {.offset = (u32)offset, .target = c};
  vec_push (&g->relocs, r);
  return bits == 64;
}

static bool put_constant (Lower *l, Global *g, LLVMValueRef v, LLVMTypeRef type, u64 offset) {
  u32 bits;
  if (LLVMIsUndef (v) || LLVMIsNull (v)) return true; /* the bytes are zero already */
  if (layout_is_scalar (type, &bits)) return put_scalar (l, g, v, offset);
  if (layout_is_pair (type) && LLVMIsAConstantInt (v)) {
    u64 low, high;
    constant_pair (v, &low, &high);
    put_int (g, offset, low, 8);
    put_int (g, offset + 8, high, 8);
    return true;
  }
  if (LLVMIsAConstantDataArray (v) && LLVMIsConstantString (v)) {
    size_t length;
    const char *text = LLVMGetAsString (v, &length);
    memcpy (g->init + offset, text, length);
    return true;
  }
  bool is_struct = LLVMGetTypeKind (type) == LLVMStructTypeKind;
  if (!is_struct && LLVMGetTypeKind (type) != LLVMArrayTypeKind) return false;
  u64 n = is_struct ? LLVMCountStructElementTypes (type) : LLVMGetArrayLength2 (type);
  LLVMTypeRef item = is_struct ? NULL : LLVMGetElementType (type);
  for (u32 i = 0; i < n; i++) {
    LLVMValueRef part = LLVMGetAggregateElement (v, i);
    LLVMTypeRef t = is_struct ? LLVMStructGetTypeAtIndex (type, i) : item;
    u64 at = is_struct ? LLVMOffsetOfElement (l->layout, type, i) : i * layout_size (l, item);
    if (!part || !put_constant (l, g, part, t, offset + at)) return false;
  }
  return true;
}

void lower_init_globals (Lower *l) {
  for (LLVMValueRef v = LLVMGetFirstGlobal (l->module); v; v = LLVMGetNextGlobal (v)) {
    u64 index;
    LLVMValueRef init = LLVMGetInitializer (v);
    if (!init || !map_get (&l->globals, (u64)(uintptr_t)v, &index)) continue;
    if (LLVMIsNull (init) || LLVMIsUndef (init) || l->refusals.data[index]) continue;
    Global *g = &l->p->globals.data[index];
    g->init = mem_zalloc (g->size ? g->size : 1);
    if (!put_constant (l, g, init, LLVMTypeOf (init), 0))
      l->refusals.data[index] = printed ("variable with an unusual initial value: ", g->name);
  }
}
