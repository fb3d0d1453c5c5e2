/* output.c - what printf and its like access and return.
 *
 * They are one builtin, which accesses no memory as far as the search can see, and has no result.
 * Where the format asks for strings, or stores, or is not known, or the result is used, a call of a
 * function of the runtime comes before, which makes these accesses and returns that result.
 */
#include "front/lower.h"

#include <llvm-c/DebugInfo.h>

static const struct {
  const char *name;
  u32 format; /* which argument it is */
} printers[] = {
#define EXTERN(name, builtin, first) {BUILTIN_##builtin == BUILTIN_OUTPUT ? name : "", first},
#define NOTHING(name)
#define REFUSED(name, why)
#define UNUSED(name, stand_in)
#include "front/externs.def"
#undef EXTERN
#undef NOTHING
#undef REFUSED
#undef UNUSED
};

/* Of the call's arguments the format, or -1 if it prints nothing. */
static i32 format_of (LLVMValueRef call) {
  size_t length;
  LLVMValueRef f = LLVMIsACallInst (call) ? LLVMGetCalledValue (call) : NULL;
  if (!f || !LLVMIsAFunction (f) || !LLVMIsDeclaration (f)) return -1;
  const char *name = LLVMGetValueName2 (f, &length);
  for (u32 k = 0; k < ARRAY_SIZE (printers); k++)
    if (*printers[k].name && !strcmp (name, printers[k].name) &&
        printers[k].format < LLVMGetNumArgOperands (call))
      return (i32)printers[k].format;
  return -1;
}

/* `count`: of arguments after the format; if there are too few, the runtime will see. */
static bool has_accesses (const char *format, size_t length, u32 count) {
  u32 used = 0;
  for (size_t i = 0; i < length; i++) {
    if (format[i] != '%') continue;
    while (++i < length && strchr ("-+ #0123456789.*hljztL", format[i])) used += format[i] == '*';
    if (i < length && (format[i] == 's' || format[i] == 'n')) return true;
    used += i < length && format[i] && format[i] != '%';
  }
  return used > count;
}

static bool may_access (LLVMValueRef call, u32 first) {
  size_t length;
  LLVMValueRef format = LLVMGetOperand (call, first);
  if (!LLVMIsAGlobalVariable (format) || !LLVMIsGlobalConstant (format)) return true;
  LLVMValueRef text = LLVMGetInitializer (format);
  if (!text || !LLVMIsAConstantDataSequential (text) || !LLVMIsConstantString (text)) return true;
  const char *letters = LLVMGetAsString (text, &length);
  return has_accesses (letters, length, LLVMGetNumArgOperands (call) - first - 1);
}

static void add_call (LLVMModuleRef m, LLVMBuilderRef b, LLVMValueRef call, u32 format) {
  bool is_used = LLVMGetFirstUse (call);
  const char *name = is_used ? "porf_output_length" : "porf_output_accesses";
  LLVMTypeRef pointer = LLVMTypeOf (LLVMGetOperand (call, format));
  LLVMTypeRef result = LLVMVoidTypeInContext (LLVMGetModuleContext (m));
  LLVMTypeRef type = LLVMFunctionType (is_used ? LLVMTypeOf (call) : result, &pointer, 1, true);
  LLVMValueRef f = LLVMGetNamedFunction (m, name);
  if (!f) f = LLVMAddFunction (m, name, type);
  VEC (LLVMValueRef) args = {0};
  for (u32 k = format; k < LLVMGetNumArgOperands (call); k++)
    vec_push (&args, LLVMGetOperand (call, k));
  LLVMPositionBuilderBefore (b, call);
  LLVMValueRef added = LLVMBuildCall2 (b, type, f, args.data, args.size, "");
  LLVMInstructionSetDebugLoc (added, LLVMInstructionGetDebugLoc (call));
  if (is_used) LLVMReplaceAllUsesWith (call, added);
  vec_free (&args);
}

void output_add_accesses (LLVMModuleRef m) {
  LLVMBuilderRef b = LLVMCreateBuilderInContext (LLVMGetModuleContext (m));
  for (LLVMValueRef f = LLVMGetFirstFunction (m); f; f = LLVMGetNextFunction (f))
    for (LLVMBasicBlockRef k = LLVMGetFirstBasicBlock (f); k; k = LLVMGetNextBasicBlock (k))
      for (LLVMValueRef i = LLVMGetFirstInstruction (k); i; i = LLVMGetNextInstruction (i)) {
        i32 format = format_of (i);
        if (format >= 0 && (LLVMGetFirstUse (i) || may_access (i, (u32)format)))
          add_call (m, b, i, (u32)format);
      }
  LLVMDisposeBuilder (b);
}
