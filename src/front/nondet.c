/* nondet.c - calls of functions that no file defines and whose names say that they return any value:
 * __VERIFIER_nondet_int, nondet_uint. Which values follows from the type that the program declares,
 * whatever that is; whether they are signed, and whether a number is a bool, is left to the name. */
#include "front/lower.h"

static const char *type_name (const char *function) {
  static const char *const families[] = {"__VERIFIER_nondet_", "nondet_", "__CPROVER_nondet_"};
  for (u32 i = 0; i < ARRAY_SIZE (families); i++)
    if (!strncmp (function, families[i], strlen (families[i])))
      return function + strlen (families[i]);
  return NULL;
}

static bool is_signed_name (const char *name) {
  static const char *const others[] = {"size_t", "pointer", "voidp", "charp"};
  for (u32 i = 0; i < ARRAY_SIZE (others); i++)
    if (!strcmp (name, others[i])) return false;
  return *name != 'u';
}

bool lower_is_nondet (LLVMValueRef f, LLVMTypeRef result) {
  size_t length;
  u32 bits;
  return LLVMIsAFunction (f) && LLVMIsDeclaration (f) &&
         type_name (LLVMGetValueName2 (f, &length)) && layout_is_scalar (result, &bits);
}

/* Of a float the whole numbers of the range. */
static Operand any_float (Lower *l, u32 bits) {
  Operand args[] = {emit_int (l, 4), emit_int (l, 1)};
  Operand whole = emit_builtin (l, BUILTIN_NONDET, args, 2, true);
  return emit_cast (l, OP_SITOFP, 32, bits, whole);
}

static Operand any_integer (Lower *l, const char *name, u32 bits) {
  bool is_bool = bits == 1 || !strcmp (name, "bool");
  Operand args[] = {emit_int (l, is_bool ? 0 : (bits + 7) / 8),
                    emit_int (l, is_signed_name (name))};
  return emit_builtin (l, BUILTIN_NONDET, args, 2, true);
}

void lower_nondet (Lower *l, LLVMValueRef i, LLVMValueRef f) {
  size_t length;
  u32 bits;
  LLVMTypeRef type = LLVMTypeOf (i);
  LLVMTypeKind kind = LLVMGetTypeKind (type);
  bool is_float = kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind;
  layout_is_scalar (type, &bits);
  Operand value = is_float ? any_float (l, bits)
                           : any_integer (l, type_name (LLVMGetValueName2 (f, &length)), bits);
  lower_define_scalar (l, i, value);
}
