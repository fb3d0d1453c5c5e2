/* vararg.c - functions with a variable number of arguments.
 *
 * The caller lays the arguments that stand for the dots into an object of its own, in the slots of
 * 8 bytes in which x86-64 has arguments on the stack, and passes the address after the named
 * arguments. va_start makes a va_list of it that says that no argument came in registers; so
 * clang's own code for va_arg, copies of the list and lists that are passed on need nothing more.
 * An argument too many that is asked for lies out of the object's bounds.
 */
#include "front/lower.h"

/* A va_list of x86-64. */
enum {
  GP_OFFSET = 0,
  FP_OFFSET = 4,
  OVERFLOW_AREA = 8,
  SAVE_AREA = 16,
  ALL_GP_USED = 48,
  ALL_FP_USED = 176,
};

static bool is_known_target (Lower *l) { return !strncmp (LLVMGetTarget (l->module), "x86_64", 6); }

static u64 round_up (u64 n, u64 unit) { return (n + unit - 1) / unit * unit; }

static LLVMAttributeRef argument_attribute (LLVMValueRef call, u32 arg, const char *name) {
  unsigned kind = LLVMGetEnumAttributeKindForName (name, strlen (name));
  return LLVMGetCallSiteEnumAttribute (call, arg + 1, kind);
}

/* A large struct comes as a pointer, and lies in the area itself. */
static LLVMTypeRef struct_in_memory (LLVMValueRef call, u32 arg) {
  LLVMAttributeRef a = argument_attribute (call, arg, "byval");
  return a ? LLVMGetTypeAttributeValue (a) : NULL;
}

/* Where the argument lies; *end is moved after it. */
static u64 place (Lower *l, LLVMValueRef call, u32 arg, u64 *end) {
  LLVMTypeRef type = struct_in_memory (call, arg);
  LLVMAttributeRef align = argument_attribute (call, arg, "align");
  u64 unit = type && align ? LLVMGetEnumAttributeValue (align) : 8;
  if (unit < 8) unit = 8;
  if (!type) type = LLVMTypeOf (LLVMGetOperand (call, arg));
  u64 at = round_up (*end, unit);
  *end = at + round_up (LLVMTypeIsSized (type) ? layout_size (l, type) : 8, 8);
  return at;
}

static bool has_area (LLVMValueRef i) {
  bool is_call = LLVMIsACallInst (i) || LLVMIsAInvokeInst (i);
  return is_call && !LLVMIsAInlineAsm (LLVMGetCalledValue (i)) &&
         lower_takes_more (LLVMGetCalledFunctionType (i)) && !lower_calls_extern (i);
}

/* One object for each call, made on entry so that a call in a loop has one object. */
void lower_argument_areas (Lower *l) {
  map_clear (&l->areas);
  for (u32 b = 0; b < l->order.size; b++)
    for (LLVMValueRef i = LLVMGetFirstInstruction (l->order.data[b]); i;
         i = LLVMGetNextInstruction (i)) {
      if (!has_area (i)) continue;
      u64 size = 0;
      for (u32 k = LLVMCountParamTypes (LLVMGetCalledFunctionType (i));
           k < LLVMGetNumArgOperands (i); k++)
        place (l, i, k, &size);
      Operand area = emit_un (l, OP_ALLOCA, 0, emit_int (l, size));
      map_put (&l->areas, (u64)(uintptr_t)i, (u64)area);
    }
}

static void store_argument (Lower *l, LLVMValueRef value, Operand to) {
  Leaves leaves = {0};
  Str why = {0};
  Range r = lower_value (l, value);
  if (!layout_leaves (l, LLVMTypeOf (value), &leaves, &why)) emit_unsupported (l, "%s", why.text);
  for (u32 k = 0; k < leaves.size && k < r.count; k++)
    lower_store_leaf (l, leaves.data[k], to, range_get (l, r, k), ORD_NA, 0);
  vec_free (&leaves);
  str_free (&why);
}

/* Stores what stands for the dots; the address of it all. */
Operand lower_more_arguments (Lower *l, LLVMValueRef i) {
  u64 area = 0, end = 0;
  bool found = map_get (&l->areas, (u64)(uintptr_t)i, &area);
  BUG_IF (!found);
  for (u32 k = LLVMCountParamTypes (LLVMGetCalledFunctionType (i)); k < LLVMGetNumArgOperands (i);
       k++) {
    Operand to = emit_address (l, (Operand)area, place (l, i, k, &end));
    LLVMTypeRef type = struct_in_memory (i, k);
    LLVMValueRef value = LLVMGetOperand (i, k);
    if (type && LLVMABIAlignmentOfType (l->layout, type) > STACK_ALIGN)
      emit_unsupported (l, "an argument aligned to more than %d bytes", STACK_ALIGN);
    else if (type)
      emit_call_named (
          l, "memcpy",
          (Operand[]){to, lower_scalar (l, value), emit_int (l, layout_size (l, type))}, 3, false);
    else
      store_argument (l, value, to);
  }
  return (Operand)area;
}

/* The last parameter of a function that takes more. */
void lower_va_start (Lower *l, LLVMValueRef list) {
  Operand to = lower_scalar (l, list);
  const Function *f = lower_function (l);
  if (!is_known_target (l) || f->is_variadic) {
    emit_unsupported (l, "va_start %s",
                      f->is_variadic ? "in a function without a named parameter"
                                     : "on this target");
    return;
  }
  Operand area = (Operand)f->params - 1;
  emit_store (l, 4, emit_address (l, to, GP_OFFSET), emit_int (l, ALL_GP_USED), ORD_NA, 0);
  emit_store (l, 4, emit_address (l, to, FP_OFFSET), emit_int (l, ALL_FP_USED), ORD_NA, 0);
  emit_store (l, 8, emit_address (l, to, OVERFLOW_AREA), area, ORD_NA, 0);
  emit_store (l, 8, emit_address (l, to, SAVE_AREA), emit_int (l, 0), ORD_NA, 0);
}

void lower_va_copy (Lower *l, LLVMValueRef to, LLVMValueRef from) {
  static const struct {
    u8 offset, size;
  } fields[] = {{GP_OFFSET, 4}, {FP_OFFSET, 4}, {OVERFLOW_AREA, 8}, {SAVE_AREA, 8}};
  Operand a = lower_scalar (l, to), b = lower_scalar (l, from);
  for (u32 k = 0; k < ARRAY_SIZE (fields); k++) {
    Operand value = emit_load (l, fields[k].size, emit_address (l, b, fields[k].offset), ORD_NA, 0);
    emit_store (l, fields[k].size, emit_address (l, a, fields[k].offset), value, ORD_NA, 0);
  }
}
