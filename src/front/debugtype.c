/* debugtype.c - names and types of variables, for names such as q.slots[3].next in reports.
 *
 * The C API reads sizes, offsets and names of debug types, and the operands of any metadata node,
 * but not their tags. What a node is follows from its kind, its operands and its size: a pointer
 * has a size, a typedef, const or _Atomic has none; the members of a struct are derived types,
 * those of an array are subranges.
 */
#include <llvm-c/DebugInfo.h>
#include "front/lower.h"

/* Operands of DIVariable and DIType nodes (llvm/IR/DebugInfoMetadata.h). */
enum { VARIABLE_NAME = 1, VARIABLE_TYPE = 3, TYPE_BASE = 3, TYPE_ELEMENTS = 4 };

static LLVMValueRef as_value (Lower *l, LLVMMetadataRef node) {
  return LLVMMetadataAsValue (LLVMGetModuleContext (l->module), node);
}

typedef VEC (LLVMValueRef) Nodes;
static void read_operands (Lower *l, LLVMMetadataRef node, Nodes *out) {
  LLVMValueRef v = as_value (l, node);
  u32 n = LLVMGetMDNodeNumOperands (v);
  vec_reserve (out, n + 1);
  LLVMGetMDNodeOperands (v, out->data);
  out->size = n;
}

static LLVMMetadataRef operand_at (Lower *l, LLVMMetadataRef node, u32 index) {
  Nodes nodes = {0};
  read_operands (l, node, &nodes);
  LLVMValueRef v = index < nodes.size ? nodes.data[index] : NULL;
  vec_free (&nodes);
  return v ? LLVMValueAsMetadata (v) : NULL;
}

static u32 add_type (Lower *l, Type t) {
  vec_push (&l->p->types, t);
  return l->p->types.size - 1;
}

static char *type_name (LLVMMetadataRef type) {
  size_t n = 0;
  const char *name = LLVMDITypeGetName (type, &n);
  char *copy = mem_zalloc (n + 1);
  if (n) memcpy (copy, name, n);
  return copy;
}

static bool is_signed_name (const char *name) {
  return !strstr (name, "unsigned") && !strstr (name, "ool") && !strstr (name, "char32") &&
         !strstr (name, "char16");
}

static u32 basic_type (Lower *l, LLVMMetadataRef type) {
  Type t = {
      .kind = TYPE_SCALAR, .size = LLVMDITypeGetSizeInBits (type) / 8, .name = type_name (type)};
  t.is_signed = is_signed_name (t.name);
  return add_type (l, t);
}

static u32 lower_debug_type (Lower *l, LLVMMetadataRef type);

static u32 pointer_type (Lower *l, LLVMMetadataRef type, LLVMMetadataRef base) {
  u32 n = add_type (l, (Type){.kind = TYPE_POINTER, .size = 8, .name = mem_strdup ("")});
  map_put (&l->types, (u64)(uintptr_t)type, n);
  u32 element = base ? lower_debug_type (l, base) : 0;
  l->p->types.data[n].element = element;
  return n;
}

/* typedef, const, volatile, _Atomic: the type below, which takes the name of a typedef if it has
 * none. */
static u32 alias_type (Lower *l, LLVMMetadataRef type, LLVMMetadataRef base) {
  u32 n = base ? lower_debug_type (l, base) : 0;
  char *name = type_name (type);
  if (n && *name && l->p->types.data[n].name && !*l->p->types.data[n].name &&
      l->p->types.data[n].kind == TYPE_STRUCT) {
    mem_free (l->p->types.data[n].name);
    l->p->types.data[n].name = name;
  } else {
    mem_free (name);
  }
  return n;
}

static u64 subrange_count (Lower *l, LLVMValueRef range) {
  Nodes nodes = {0};
  read_operands (l, LLVMValueAsMetadata (range), &nodes);
  LLVMValueRef count = nodes.size ? nodes.data[0] : NULL;
  vec_free (&nodes);
  return count && LLVMIsAConstantInt (count) ? LLVMConstIntGetZExtValue (count) : 0;
}

/* int a[2][3] is one node with two subranges. */
static u32 array_type (Lower *l, LLVMMetadataRef base, const Nodes *ranges) {
  u32 element = base ? lower_debug_type (l, base) : 0;
  for (u32 i = ranges->size; i-- > 0;) {
    Type t = {.kind = TYPE_ARRAY, .element = element, .name = mem_strdup ("")};
    t.size = subrange_count (l, ranges->data[i]) * l->p->types.data[element].size;
    element = add_type (l, t);
  }
  return element;
}

static u32 struct_type (Lower *l, LLVMMetadataRef type, const Nodes *members) {
  Type t = {
      .kind = TYPE_STRUCT, .size = LLVMDITypeGetSizeInBits (type) / 8, .name = type_name (type)};
  u32 n = add_type (l, t);
  map_put (&l->types, (u64)(uintptr_t)type, n);
  for (u32 i = 0; i < members->size; i++) {
    LLVMMetadataRef m = LLVMValueAsMetadata (members->data[i]);
    if (LLVMGetMetadataKind (m) != LLVMDIDerivedTypeMetadataKind) continue; /* C++ methods */
    LLVMMetadataRef base = operand_at (l, m, TYPE_BASE);
    Field f = {.name = type_name (m), .offset = LLVMDITypeGetOffsetInBits (m) / 8};
    f.type = base ? lower_debug_type (l, base) : 0;
    vec_push (&l->p->types.data[n].fields, f);
  }
  return n;
}

static u32 composite_type (Lower *l, LLVMMetadataRef type) {
  Nodes elements = {0};
  LLVMMetadataRef base = operand_at (l, type, TYPE_BASE),
                  list = operand_at (l, type, TYPE_ELEMENTS);
  if (list) read_operands (l, list, &elements);
  LLVMMetadataKind kind =
      elements.size && elements.data[0]
          ? (LLVMMetadataKind)LLVMGetMetadataKind (LLVMValueAsMetadata (elements.data[0]))
          : LLVMDIDerivedTypeMetadataKind;
  u32 n = kind == LLVMDISubrangeMetadataKind     ? array_type (l, base, &elements)
          : kind == LLVMDIEnumeratorMetadataKind ? basic_type (l, type)
                                                 : struct_type (l, type, &elements);
  vec_free (&elements);
  return n;
}

static u32 lower_debug_type (Lower *l, LLVMMetadataRef type) {
  u64 known;
  if (map_get (&l->types, (u64)(uintptr_t)type, &known)) return (u32)known;
  u32 n = 0;
  LLVMMetadataKind kind = (LLVMMetadataKind)LLVMGetMetadataKind (type);
  map_put (&l->types, (u64)(uintptr_t)type, 0); /* no module may have cycles */
  if (kind == LLVMDIBasicTypeMetadataKind) n = basic_type (l, type);
  if (kind == LLVMDICompositeTypeMetadataKind) n = composite_type (l, type);
  if (kind == LLVMDIDerivedTypeMetadataKind) {
    LLVMMetadataRef base = operand_at (l, type, TYPE_BASE);
    n = LLVMDITypeGetSizeInBits (type) ? pointer_type (l, type, base) : alias_type (l, type, base);
  }
  map_put (&l->types, (u64)(uintptr_t)type, n);
  return n;
}

static LLVMMetadataRef global_variable (LLVMValueRef g) {
  size_t n;
  LLVMMetadataRef found = NULL;
  LLVMValueMetadataEntry *all = LLVMGlobalCopyAllMetadata (g, &n);
  for (u32 i = 0; i < n && !found; i++) {
    LLVMMetadataRef m = LLVMValueMetadataEntriesGetMetadata (all, i);
    if (LLVMGetMetadataKind (m) == LLVMDIGlobalVariableExpressionMetadataKind)
      found = LLVMDIGlobalVariableExpressionGetVariable (m);
  }
  LLVMDisposeValueMetadataEntries (all);
  return found;
}

static char *variable_name (Lower *l, LLVMMetadataRef variable) {
  LLVMMetadataRef name = operand_at (l, variable, VARIABLE_NAME);
  unsigned n = 0;
  const char *text = name ? LLVMGetMDString (as_value (l, name), &n) : NULL;
  if (!text || !n) return NULL;
  char *copy = mem_zalloc (n + 1);
  memcpy (copy, text, n);
  return copy;
}

/* Type, position and, for C++, the name as it was written. */
void lower_global_debug (Lower *l, LLVMValueRef g, Global *out) {
  LLVMMetadataRef variable = global_variable (g);
  if (!variable) return;
  LLVMMetadataRef type = operand_at (l, variable, VARIABLE_TYPE);
  out->type = type ? lower_debug_type (l, type) : 0;
  LLVMMetadataRef file = LLVMDIVariableGetFile (variable);
  if (file) out->pos = lower_position_at (l, file, LLVMDIVariableGetLine (variable), 0);
  char *name = variable_name (l, variable);
  if (name && out->name[0] == '_' && out->name[1] == 'Z') {
    mem_free (out->title);
    out->title = name;
  } else {
    mem_free (name);
  }
}

/* The variables whose place in memory the debug information declares. */
void lower_find_locals (Lower *l, LLVMValueRef f) {
  map_clear (&l->locals);
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock (f); b; b = LLVMGetNextBasicBlock (b))
    for (LLVMValueRef i = LLVMGetFirstInstruction (b); i; i = LLVMGetNextInstruction (i)) {
      if (!LLVMIsADbgDeclareInst (i)) continue;
      LLVMValueRef place = LLVMGetOperand (i, 0), alloca = NULL;
      if (LLVMGetMDNodeNumOperands (place) == 1) LLVMGetMDNodeOperands (place, &alloca);
      if (alloca && LLVMIsAAllocaInst (alloca))
        map_put (&l->locals, (u64)(uintptr_t)alloca, (u64)(uintptr_t)LLVMGetOperand (i, 1));
    }
}

void lower_local_debug (Lower *l, LLVMValueRef alloca, Insn *out) {
  u64 found;
  if (!map_get (&l->locals, (u64)(uintptr_t)alloca, &found)) return;
  LLVMMetadataRef variable = LLVMValueAsMetadata ((LLVMValueRef)(uintptr_t)found);
  LLVMMetadataRef type = operand_at (l, variable, VARIABLE_TYPE);
  char *name = variable_name (l, variable);
  if (!name) return;
  out->b = (Operand)program_string (l->p, name);
  out->c = type ? (Operand)lower_debug_type (l, type) : OPERAND_NONE;
  mem_free (name);
}
