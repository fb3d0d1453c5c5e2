/* block.c - memcpy, memmove and memset.
 *
 * Models know no accesses that overlap in part, so a block should be accessed in the same pieces as
 * elsewhere: by the scalars of its type. The type is known if one side is a variable. If not, a
 * struct type of this size that the module uses is a good guess; a wrong one does no harm, as every
 * byte is copied all the same. Otherwise the runtime does it, in words.
 */
#include "front/lower.h"

enum { MAX_PIECES = 64 };

static void add_struct (Lower *l, LLVMTypeRef type) {
  if (LLVMGetTypeKind (type) != LLVMStructTypeKind || !LLVMTypeIsSized (type)) return;
  for (u32 i = 0; i < l->structs.size; i++)
    if (l->structs.data[i] == type) return;
  vec_push (&l->structs, type);
}

static void add_structs_of (Lower *l, LLVMBasicBlockRef b) {
  for (LLVMValueRef i = LLVMGetFirstInstruction (b); i; i = LLVMGetNextInstruction (i)) {
    if (LLVMIsAGetElementPtrInst (i)) add_struct (l, LLVMGetGEPSourceElementType (i));
    if (LLVMIsAAllocaInst (i)) add_struct (l, LLVMGetAllocatedType (i));
  }
}

void lower_collect_structs (Lower *l) {
  for (LLVMValueRef g = LLVMGetFirstGlobal (l->module); g; g = LLVMGetNextGlobal (g))
    add_struct (l, LLVMGlobalGetValueType (g));
  for (LLVMValueRef f = LLVMGetFirstFunction (l->module); f; f = LLVMGetNextFunction (f))
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock (f); b; b = LLVMGetNextBasicBlock (b))
      add_structs_of (l, b);
}

/* The scalars of a type that is worth copying by scalars: not too many, and not mere bytes. */
static bool pieces_of (Lower *l, LLVMTypeRef type, u64 size, Leaves *out) {
  out->size = 0;
  if (!type || !LLVMTypeIsSized (type) || layout_size (l, type) != size) return false;
  Str why = {0};
  bool ok = layout_leaves (l, type, out, &why) && out->size && out->size <= MAX_PIECES;
  str_free (&why);
  bool is_bytes = true;
  for (u32 i = 0; i < out->size; i++) is_bytes &= out->data[i].bytes == 1;
  return ok && (!is_bytes || size == 1);
}

static LLVMTypeRef variable_type (LLVMValueRef v) {
  if (v && LLVMIsAAllocaInst (v)) return LLVMGetAllocatedType (v);
  if (v && LLVMIsAGlobalVariable (v)) return LLVMGlobalGetValueType (v);
  return NULL;
}

static bool is_same (const Leaves *a, const Leaves *b) {
  for (u32 i = 0; i < a->size && a->size == b->size; i++)
    if (a->data[i].offset != b->data[i].offset || a->data[i].bytes != b->data[i].bytes)
      return false;
  return a->size == b->size;
}

/* All struct types of this size must agree. */
static bool guess_pieces (Lower *l, u64 size, Leaves *out) {
  Leaves other = {0};
  bool found = false, agree = true;
  for (u32 i = 0; i < l->structs.size && agree; i++) {
    if (!pieces_of (l, l->structs.data[i], size, found ? &other : out)) continue;
    if (found) agree = is_same (out, &other);
    found = true;
  }
  vec_free (&other);
  return found && agree;
}

static bool find_pieces (Lower *l, LLVMValueRef to, LLVMValueRef from, LLVMValueRef size,
                         Leaves *out, bool *is_known) {
  if (!LLVMIsAConstantInt (size)) return false;
  u64 bytes = LLVMConstIntGetZExtValue (size);
  *is_known = pieces_of (l, variable_type (to), bytes, out) ||
              pieces_of (l, variable_type (from), bytes, out);
  return *is_known || guess_pieces (l, bytes, out);
}

typedef struct Gap {
  u64 start, size;
} Gap;

/* The padding before piece k, or after the last one. */
static Gap gap_before (const Leaves *pieces, u32 k, u64 size) {
  u64 start = k ? pieces->data[k - 1].offset + pieces->data[k - 1].bytes : 0;
  u64 end = k < pieces->size ? pieces->data[k].offset : size;
  return (Gap){start, end > start ? end - start : 0};
}

static void call_for_gap (Lower *l, const char *name, Gap gap, Operand a, Operand b, bool is_copy) {
  if (!gap.size) return;
  Operand to = emit_address (l, a, gap.start);
  Operand second = is_copy ? emit_address (l, b, gap.start) : b;
  emit_call_named (l, name, (Operand[]){to, second, emit_int (l, gap.size)}, 3, true);
}

/* Everything is loaded before anything is stored, which serves memmove too. Padding of a known type
 * has no value. */
static void copy_pieces (Lower *l, const Leaves *pieces, Operand a, Operand b) {
  Operand parts[MAX_PIECES];
  for (u32 k = 0; k < pieces->size; k++)
    parts[k] = lower_load_leaf (l, pieces->data[k], b, ORD_NA, 0);
  for (u32 k = 0; k < pieces->size; k++)
    lower_store_leaf (l, pieces->data[k], a, parts[k], ORD_NA, 0);
}

void lower_block_copy (Lower *l, const char *name, LLVMValueRef to, LLVMValueRef from,
                       LLVMValueRef size) {
  Leaves pieces = {0};
  bool is_known = false;
  Operand a = lower_scalar (l, to), b = lower_scalar (l, from), n = lower_scalar (l, size);
  bool has_pieces = find_pieces (l, to, from, size, &pieces, &is_known);
  bool may_overlap = !strcmp (name, "memmove"); /* then padding cannot be copied afterwards */
  if (has_pieces && (is_known || !may_overlap)) {
    copy_pieces (l, &pieces, a, b);
    for (u32 k = 0; k <= pieces.size && !is_known; k++)
      call_for_gap (l, name, gap_before (&pieces, k, LLVMConstIntGetZExtValue (size)), a, b, true);
  } else {
    emit_call_named (l, name, (Operand[]){a, b, n}, 3, true);
  }
  vec_free (&pieces);
}

void lower_block_set (Lower *l, LLVMValueRef to, LLVMValueRef byte, LLVMValueRef size) {
  Leaves pieces = {0};
  bool is_known = false;
  Operand a = lower_scalar (l, to), b = lower_scalar (l, byte), n = lower_scalar (l, size);
  if (LLVMIsAConstantInt (byte) && find_pieces (l, to, NULL, size, &pieces, &is_known)) {
    u64 value = LLVMConstIntGetZExtValue (byte) * 0x0101010101010101ull;
    for (u32 k = 0; k <= pieces.size; k++) {
      call_for_gap (l, "memset", gap_before (&pieces, k, LLVMConstIntGetZExtValue (size)), a, b,
                    false);
      if (k < pieces.size)
        lower_store_leaf (l, pieces.data[k], a,
                          emit_int (l, value & SIZE_MASK (pieces.data[k].bytes)), ORD_NA, 0);
    }
  } else {
    emit_call_named (l, "memset", (Operand[]){a, b, n}, 3, true);
  }
  vec_free (&pieces);
}
