/* exception.c - calls that may throw, and what their callers do then.
 *
 * An exception is a pointer that only the run-time library looks into (runtime/exception.c). What a
 * landing pad catches is a number: that of the first type of its clauses that fits, or 0.
 */
#include "front/lower.h"

enum { CATCHES_ALL = INT32_MAX };

/* It is null for "catch (...)"; the numbers are only compared within a function. */
static u64 number_of_type (Lower *l, LLVMValueRef type) {
  u32 index;
  return constant_is_global (l, type, &index) ? index + 1 : CATCHES_ALL;
}

static bool is_filter (LLVMValueRef clause) {
  return LLVMGetTypeKind (LLVMTypeOf (clause)) == LLVMArrayTypeKind;
}

static LLVMValueRef landingpad_of (LLVMBasicBlockRef block) {
  LLVMValueRef i = LLVMGetFirstInstruction (block);
  while (i && !LLVMIsALandingPadInst (i)) i = LLVMGetNextInstruction (i);
  return i;
}

/* Only a call of IR can be left: a builtin throws nothing. */
static bool has_call (Lower *l, u32 start) {
  const Function *f = lower_function (l);
  Op last = f->code.size > start ? (Op)vec_last (&f->code).op : OP_JMP;
  return last == OP_CALL || last == OP_RETVAL;
}

void lower_landing (Lower *l, LLVMValueRef invoke, u32 start) {
  LLVMBasicBlockRef from = LLVMGetInstructionParent (invoke), normal = LLVMGetNormalDest (invoke),
                    unwind = LLVMGetUnwindDest (invoke);
  if (l->is_closed) return;
  LLVMValueRef pad = landingpad_of (unwind);
  if (!has_call (l, start) || !pad) {
    lower_jump (l, from, normal);
    return;
  }
  Operand catches = emit_int (l, LLVMGetNumClauses (pad) > 0);
  lower_branch (l, emit_builtin (l, BUILTIN_CAUGHT, &catches, 1, true), from, unwind, normal);
}

void lower_landingpad (Lower *l, LLVMValueRef i) {
  Operand exception = emit_call_named (l, "porf_exception_landed", NULL, 0, true),
          selector = emit_int (l, 0);
  for (u32 k = 0; k < LLVMGetNumClauses (i); k++) {
    LLVMValueRef type = LLVMGetClause (i, k);
    if (is_filter (type)) {
      emit_unsupported (l, "an exception specification");
      return;
    }
    Operand args[] = {exception, selector, lower_scalar (l, type),
                      emit_int (l, number_of_type (l, type))};
    selector = emit_call_named (l, "porf_exception_select", args, ARRAY_SIZE (args), true);
  }
  Range r = range_start (l);
  range_add (l, &r, exception);
  range_add (l, &r, selector);
  lower_define (l, i, r);
}

void lower_resume (Lower *l, LLVMValueRef i) {
  Range r = lower_value (l, LLVMGetOperand (i, 0));
  Operand exception = range_get (l, r, 0);
  emit_call_named (l, "porf_exception_resume", &exception, 1, false);
  emit (l, OP_UNREACHABLE);
}

void lower_typeid (Lower *l, LLVMValueRef i) {
  lower_define_scalar (l, i, emit_int (l, number_of_type (l, LLVMGetOperand (i, 0))));
}
