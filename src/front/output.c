/* output.c - what printf and its like access.
 *
 * They are one builtin, which accesses no memory as far as the search can see. Where the format
 * asks for strings, or stores, or is not known, a call of a function of the runtime comes before,
 * which makes these accesses and nothing else.
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

static bool has_accesses (const char *format, size_t length) {
  for (size_t i = 0; i < length; i++) {
    if (format[i] != '%') continue;
    while (++i < length && strchr ("-+ #0123456789.*hljztL", format[i])) continue;
    if (i < length && (format[i] == 's' || format[i] == 'n')) return true;
  }
  return false;
}

static bool may_access (LLVMValueRef format) {
  size_t length;
  if (!LLVMIsAGlobalVariable (format) || !LLVMIsGlobalConstant (format)) return true;
  LLVMValueRef text = LLVMGetInitializer (format);
  if (!text || !LLVMIsAConstantDataSequential (text) || !LLVMIsConstantString (text)) return true;
  const char *letters = LLVMGetAsString (text, &length);
  return has_accesses (letters, length);
}

static void add_call (LLVMModuleRef m, LLVMBuilderRef b, LLVMValueRef call, u32 format) {
  LLVMContextRef context = LLVMGetModuleContext (m);
  LLVMTypeRef pointer = LLVMTypeOf (LLVMGetOperand (call, format));
  LLVMTypeRef type = LLVMFunctionType (LLVMVoidTypeInContext (context), &pointer, 1, true);
  LLVMValueRef f = LLVMGetNamedFunction (m, "porf_output_accesses");
  if (!f) f = LLVMAddFunction (m, "porf_output_accesses", type);
  VEC (LLVMValueRef) args = {0};
  for (u32 k = format; k < LLVMGetNumArgOperands (call); k++)
    vec_push (&args, LLVMGetOperand (call, k));
  LLVMPositionBuilderBefore (b, call);
  LLVMValueRef added = LLVMBuildCall2 (b, type, f, args.data, args.size, "");
  LLVMInstructionSetDebugLoc (added, LLVMInstructionGetDebugLoc (call));
  vec_free (&args);
}

void output_add_accesses (LLVMModuleRef m) {
  LLVMBuilderRef b = LLVMCreateBuilderInContext (LLVMGetModuleContext (m));
  for (LLVMValueRef f = LLVMGetFirstFunction (m); f; f = LLVMGetNextFunction (f))
    for (LLVMBasicBlockRef k = LLVMGetFirstBasicBlock (f); k; k = LLVMGetNextBasicBlock (k))
      for (LLVMValueRef i = LLVMGetFirstInstruction (k); i; i = LLVMGetNextInstruction (i)) {
        i32 format = format_of (i);
        if (format >= 0 && may_access (LLVMGetOperand (i, (u32)format)))
          add_call (m, b, i, (u32)format);
      }
  LLVMDisposeBuilder (b);
}
