/* call.c - calls: direct, through pointers, to builtins and to what stands for the C library. */
#include "front/lower.h"

typedef VEC (Operand) Arguments;

typedef struct Extern {
  const char *name;
  Builtin builtin;
  u32 first;       /* argument that is passed on; NOTHING_AT_ALL if there is no effect */
  const char *why; /* it is refused, or NULL */
} Extern;

static const Extern externs[] = {
#define NOTHING_AT_ALL UINT32_MAX
#define EXTERN(name, builtin, first) {name, BUILTIN_##builtin, first, NULL},
#define NOTHING(name) {name, BUILTIN_YIELD, NOTHING_AT_ALL, NULL},
#define REFUSED(name, why) {name, BUILTIN_YIELD, NOTHING_AT_ALL, why},
#define UNUSED(name, stand_in)
#include "front/externs.def"
#undef EXTERN
#undef NOTHING
#undef REFUSED
#undef UNUSED
};

static const struct {
  const char *name;
  i32 params;
  bool has_result;
} builtins[] = {
#define BUILTIN(name, text, params, result, doc) {text, params, result},
#include "ir/builtins.def"
#undef BUILTIN
};

static void collect_arguments (Lower *l, LLVMValueRef i, u32 first, u32 end, Arguments *out) {
  for (u32 k = first; k < end; k++) {
    Range r = lower_value (l, LLVMGetOperand (i, k));
    for (u32 n = 0; n < r.count; n++) vec_push (out, range_get (l, r, n));
  }
}

/* A result is as wide as the C function's type says, whatever the builtin's is. */
static void define_result (Lower *l, LLVMValueRef i, Operand value) {
  if (LLVMGetTypeKind (LLVMTypeOf (i)) == LLVMVoidTypeKind) return;
  u32 width = value_width (i);
  if (width && width < 64 && operand_is_reg (value))
    value = emit_cast (l, OP_TRUNC, 64, width, value);
  lower_define_scalar (l, i, value);
}

static void call_builtin (Lower *l, LLVMValueRef i, Builtin b, u32 first) {
  Arguments args = {0};
  u32 end = LLVMGetNumArgOperands (i);
  collect_arguments (l, i, first, end, &args);
  i32 params = builtins[b].params;
  if (params >= 0) {
    while ((i32)args.size < params) vec_push (&args, emit_int (l, 0));
    args.size = (u32)params;
  }
  define_result (l, i, emit_builtin (l, b, args.data, args.size, builtins[b].has_result));
  vec_free (&args);
}

/* Declared functions that are one builtin: by the table, or by their name __porf_NAME (see
 * runtime/). */
static bool find_extern (LLVMValueRef f, Extern *out) {
  size_t length;
  const char *name = LLVMIsAFunction (f) ? LLVMGetValueName2 (f, &length) : "";
  if (!*name || !LLVMIsDeclaration (f)) return false;
  if (!strncmp (name, "__porf_", 7))
    for (u32 b = 0; b < BUILTIN_COUNT; b++)
      if (!strcmp (name + 7, builtins[b].name)) {
        *out = (Extern){name, (Builtin)b, 0, NULL};
        return true;
      }
  for (u32 k = 0; k < ARRAY_SIZE (externs); k++)
    if (!strcmp (name, externs[k].name)) {
      *out = externs[k];
      return true;
    }
  return false;
}

/* Functions for which another is substituted where the result is unused. */
static const struct {
  const char *name, *stand_in;
} unused_results[] = {
#define EXTERN(name, builtin, first)
#define NOTHING(name)
#define REFUSED(name, why)
#define UNUSED(name, stand_in) {name, stand_in},
#include "front/externs.def"
#undef EXTERN
#undef NOTHING
#undef REFUSED
#undef UNUSED
};

static LLVMValueRef without_result (LLVMValueRef i, LLVMValueRef f) {
  size_t length;
  if (!LLVMIsAFunction (f) || !LLVMIsDeclaration (f) || LLVMGetFirstUse (i)) return f;
  const char *name = LLVMGetValueName2 (f, &length);
  for (u32 k = 0; k < ARRAY_SIZE (unused_results); k++) {
    if (strcmp (name, unused_results[k].name) != 0) continue;
    LLVMModuleRef module = LLVMGetGlobalParent (f);
    LLVMValueRef other = LLVMGetNamedFunction (module, unused_results[k].stand_in);
    if (other) return other;
    return LLVMAddFunction (module, unused_results[k].stand_in, LLVMGlobalGetValueType (f));
  }
  return f;
}

static LLVMValueRef callee_of (LLVMValueRef i) {
  LLVMValueRef f = LLVMGetCalledValue (i);
  while (LLVMIsAGlobalAlias (f)) f = LLVMAliasGetAliasee (f);
  return without_result (i, f);
}

bool lower_calls_extern (LLVMValueRef i) {
  Extern unused;
  return find_extern (callee_of (i), &unused);
}

/* A pointer may have been cast to the type of quite another function. */
static bool fits_extern (LLVMValueRef i, const Extern *e) {
  u32 bits;
  LLVMTypeRef type = LLVMTypeOf (i);
  if (LLVMGetTypeKind (type) != LLVMVoidTypeKind && !layout_is_scalar (type, &bits)) return false;
  bool needs_one = e->first != NOTHING_AT_ALL && builtins[e->builtin].params < 0;
  return !needs_one || LLVMGetNumArgOperands (i) > e->first;
}

static void call_extern (Lower *l, LLVMValueRef i, Extern e) {
  if (e.why)
    emit_unsupported (l, "the call of `%s`: %s", e.name, e.why);
  else if (!fits_extern (i, &e))
    emit_unsupported (l, "the call of `%s` through a different function type", e.name);
  else if (e.first == NOTHING_AT_ALL)
    define_result (l, i, emit_int (l, 0));
  else
    call_builtin (l, i, e.builtin, e.first);
}

static void define_results (Lower *l, LLVMValueRef i, Insn *call) {
  Leaves leaves = {0};
  Str why = {0};
  layout_leaves (l, LLVMTypeOf (i), &leaves, &why);
  Range r = range_start (l);
  for (u32 k = 0; k < leaves.size; k++) {
    i32 reg = emit_reg (l);
    if (!k) {
      call->dst = reg;
    } else {
      call = emit (l, OP_RETVAL);
      call->b = (Operand)k;
      call->dst = reg;
    }
    range_add (l, &r, reg);
  }
  lower_define (l, i, r);
  vec_free (&leaves);
  str_free (&why);
}

/* Arguments beyond the parameters are dropped, as the callee cannot see them; missing ones would be
 * garbage. */
static void call_direct (Lower *l, LLVMValueRef i, LLVMValueRef f, Arguments *args) {
  u32 callee = lower_function_index (l, f);
  Function *to = &l->p->functions.data[callee];
  if (LLVMIsDeclaration (f) && to->is_variadic && !to->params) { /* "int f ();" */
    to->params = to->regs = args->size;
    to->is_variadic = false;
  }
  if (args->size > to->params) args->size = to->params;
  if (args->size < to->params) {
    emit_unsupported (l, "call of %s with too few arguments", to->name);
    return;
  }
  Insn *call = emit_with_args (l, OP_CALL, args->data, args->size);
  call->b = (Operand)callee;
  define_results (l, i, call);
}

static void call_indirect (Lower *l, LLVMValueRef i, LLVMValueRef pointer, Arguments *args) {
  Operand a = lower_scalar (l, pointer);
  if (!operand_is_reg (a)) a = emit_un (l, OP_MOV, 64, a);
  Insn *call = emit_with_args (l, OP_CALL, args->data, args->size);
  call->a = a;
  define_results (l, i, call);
}

static void lower_plain_call (Lower *l, LLVMValueRef i, LLVMValueRef f) {
  LLVMTypeRef type = LLVMGetCalledFunctionType (i);
  bool takes_more = lower_takes_more (type);
  Arguments args = {0};
  collect_arguments (l, i, 0, takes_more ? LLVMCountParamTypes (type) : LLVMGetNumArgOperands (i),
                     &args);
  if (takes_more) vec_push (&args, lower_more_arguments (l, i));
  if (LLVMIsAFunction (f))
    call_direct (l, i, f, &args);
  else
    call_indirect (l, i, f, &args);
  vec_free (&args);
}

void lower_call (Lower *l, LLVMValueRef i) {
  LLVMValueRef f = callee_of (i);
  size_t length;
  const char *name = LLVMIsAFunction (f) ? LLVMGetValueName2 (f, &length) : "";
  u32 start = lower_function (l)->code.size;
  Extern e;
  if (LLVMIsAInlineAsm (f))
    lower_asm (l, i, f);
  else if (!strncmp (name, "llvm.", 5))
    lower_intrinsic (l, i, name);
  else if (find_extern (f, &e))
    call_extern (l, i, e);
  else if (lower_is_nondet (f, LLVMTypeOf (i)))
    lower_nondet (l, i, f);
  else
    lower_plain_call (l, i, f);
  if (LLVMIsAInvokeInst (i)) lower_landing (l, i, start);
}
