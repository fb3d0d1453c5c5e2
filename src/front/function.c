/* function.c - functions: declarations, entry code, and the order in which blocks are lowered. */
#include "front/lower.h"

static u32 count_scalars (Lower *l, LLVMTypeRef type) {
  Leaves leaves = {0};
  Str why = {0};
  u32 n = layout_leaves (l, type, &leaves, &why) ? leaves.size : 1;
  vec_free (&leaves);
  str_free (&why);
  return n;
}

static u32 count_params (Lower *l, LLVMTypeRef type) {
  u32 n = LLVMCountParamTypes (type), total = 0;
  LLVMTypeRef *params = mem_alloc ((n + 1) * sizeof *params);
  LLVMGetParamTypes (type, params);
  for (u32 i = 0; i < n; i++) total += count_scalars (l, params[i]);
  mem_free (params);
  return total;
}

u32 lower_declare_named (Lower *l, const char *name, u32 params) {
  i32 found = program_find_function (l->p, name);
  if (found >= 0) return (u32)found;
  Function f = {.name = mem_strdup (name), .params = params, .regs = params};
  vec_push (&l->p->functions, f);
  return l->p->functions.size - 1;
}

/* Whether functions of this type get the address of their further arguments, see vararg.c. "int f
 * ();" has no parameters that anybody could know of, and no further ones. */
bool lower_takes_more (LLVMTypeRef type) {
  return LLVMIsFunctionVarArg (type) && LLVMCountParamTypes (type);
}

/* Functions that only exist as declarations enter the program when something needs them. */
u32 lower_function_index (Lower *l, LLVMValueRef f) {
  u64 index;
  if (map_get (&l->functions, (u64)(uintptr_t)f, &index)) return (u32)index;
  LLVMTypeRef type = LLVMGlobalGetValueType (f);
  Str name = {0};
  lower_symbol (l, f, "function", l->p->functions.size, &name);
  bool takes_more = lower_takes_more (type);
  u32 n = lower_declare_named (l, name.text, count_params (l, type) + takes_more);
  str_free (&name);
  l->p->functions.data[n].is_variadic = LLVMIsFunctionVarArg (type) && !takes_more;
  l->p->functions.data[n].linkage = (u8)lower_linkage (f);
  if (!l->p->functions.data[n].title)
    l->p->functions.data[n].title = lower_title (l->p->functions.data[n].name);
  map_put (&l->functions, (u64)(uintptr_t)f, n);
  return n;
}

void lower_declare_functions (Lower *l) {
  for (LLVMValueRef f = LLVMGetFirstFunction (l->module); f; f = LLVMGetNextFunction (f)) {
    if (LLVMIsDeclaration (f)) continue;
    u32 n = lower_function_index (l, f);
    l->p->functions.data[n].pos = lower_function_position (l, f);
  }
}

/* Reverse post-order from the entry; blocks that cannot be reached are left out. */
static void order_blocks (Lower *l, LLVMValueRef f) {
  struct Visit {
    LLVMBasicBlockRef block;
    u32 next;
  };
  VEC (struct Visit) stack = {0};
  struct Visit entry = {LLVMGetEntryBasicBlock (f), 0};
  l->order.size = 0;
  map_put (&l->blocks, (u64)(uintptr_t)entry.block, 0);
  vec_push (&stack, entry);
  while (stack.size) {
    struct Visit *top = &vec_last (&stack);
    LLVMValueRef last = LLVMGetBasicBlockTerminator (top->block);
    LLVMBasicBlockRef only = lower_only_successor (last);
    if (top->next < (only ? 1 : LLVMGetNumSuccessors (last))) {
      struct Visit v = {only ? only : LLVMGetSuccessor (last, top->next), 0};
      top->next++;
      u64 seen;
      if (map_get (&l->blocks, (u64)(uintptr_t)v.block, &seen)) continue;
      map_put (&l->blocks, (u64)(uintptr_t)v.block, 0);
      vec_push (&stack, v);
    } else {
      vec_push (&l->order, top->block);
      stack.size--;
    }
  }
  vec_free (&stack);
  for (u32 i = 0, n = l->order.size; i < n / 2; i++) {
    LLVMBasicBlockRef b = l->order.data[i];
    l->order.data[i] = l->order.data[n - 1 - i];
    l->order.data[n - 1 - i] = b;
  }
  for (u32 i = 0; i < l->order.size; i++) map_put (&l->blocks, (u64)(uintptr_t)l->order.data[i], i);
}

/* L2: every phi owns its registers from the start. */
static void reserve_phis (Lower *l) {
  for (u32 b = 0; b < l->order.size; b++)
    for (LLVMValueRef i = LLVMGetFirstInstruction (l->order.data[b]); i && LLVMIsAPHINode (i);
         i = LLVMGetNextInstruction (i)) {
      u32 n = count_scalars (l, LLVMTypeOf (i));
      Range r = range_start (l);
      for (u32 k = 0; k < n; k++) range_add (l, &r, emit_reg (l));
      lower_define (l, i, r);
    }
}

static LLVMTypeRef byval_type (LLVMValueRef f, u32 param) {
  unsigned kind = LLVMGetEnumAttributeKindForName ("byval", 5);
  LLVMAttributeRef a = LLVMGetEnumAttributeAtIndex (f, param + 1, kind);
  return a ? LLVMGetTypeAttributeValue (a) : NULL;
}

/* A struct passed by value in memory is the callee's own copy. */
static void copy_byval (Lower *l, LLVMValueRef param, LLVMTypeRef type) {
  Operand size = emit_int (l, layout_size (l, type)), from = lower_scalar (l, param);
  Operand copy = emit_un (l, OP_ALLOCA, 0, size);
  emit_call_named (l, "memcpy", (Operand[]){copy, from, size}, 3, false);
  lower_define_scalar (l, param, copy);
}

static void lower_params (Lower *l, LLVMValueRef f) {
  i32 reg = 0;
  for (u32 i = 0; i < LLVMCountParams (f); i++) {
    LLVMValueRef param = LLVMGetParam (f, i);
    Leaves leaves = {0};
    Str why = {0};
    if (!layout_leaves (l, LLVMTypeOf (param), &leaves, &why)) {
      emit_unsupported (l, "parameter: %s", why.text);
      leaves.size = 1;
    }
    Range r = range_start (l);
    for (u32 k = 0; k < leaves.size; k++) range_add (l, &r, reg++);
    lower_define (l, param, r);
    vec_free (&leaves);
    str_free (&why);
    LLVMTypeRef type = byval_type (f, i);
    if (type) copy_byval (l, param, type);
  }
}

static bool has_used_parameter (LLVMValueRef f) {
  for (u32 i = 0; i < LLVMCountParams (f); i++)
    if (LLVMGetFirstUse (LLVMGetParam (f, i))) return true;
  return false;
}

static u32 add_global (Lower *l, Global g) {
  vec_push (&l->p->globals, g);
  vec_push (&l->refusals, NULL);
  return l->p->globals.size - 1;
}

static Operand lower_argv (Lower *l) {
  Global name = {.name = mem_strdup (".argv0"), .size = 8, .align = 1};
  name.init = mem_zalloc (8);
  memcpy (name.init, "program", 8);
  Global argv = {.name = mem_strdup (IR_ARGV), .size = 16, .align = 8};
  Reloc r = {.offset = 0, .target = {.kind = CONST_GLOBAL, .index = add_global (l, name)}};
  vec_push (&argv.relocs, r);
  argv.init = mem_zalloc (16);
  return emit_const (l, (Const){.kind = CONST_GLOBAL, .index = add_global (l, argv)});
}

static void assume_environment (Lower *l) {
  Operand row = emit_int (l, ASSUMPTION_ENVIRONMENT_EMPTY);
  emit_builtin (l, BUILTIN_LIFTED, &row, 1, true);
}

/* What the run-time library has; --env changes it. */
static Operand lower_environment (Lower *l) {
  Global g = {.name = mem_strdup (IR_ENVIRONMENT), .size = 8, .align = 8, .is_extern = true};
  assume_environment (l);
  return emit_const (l, (Const){.kind = CONST_GLOBAL, .index = add_global (l, g)});
}

/* main gets argc 1 and an argv of its name and a null pointer; --args changes both. */
static void lower_main_arguments (Lower *l, LLVMValueRef main) {
  Function *f = lower_function (l);
  if (strcmp (f->name, "main")) return;
  LLVMValueRef environ = LLVMGetNamedGlobal (l->module, "environ");
  if (environ && LLVMGetFirstUse (environ)) assume_environment (l);
  u32 params = lower_function (l)->params;
  if (!params || !has_used_parameter (main)) return;
  Operand one = emit_int (l, 1);
  bool has_environment = params > 2 && LLVMGetFirstUse (LLVMGetParam (main, 2));
  Operand values[3] = {emit_builtin (l, BUILTIN_ARGC, &one, 1, true), lower_argv (l),
                       has_environment ? lower_environment (l) : emit_int (l, 0)};
  for (u32 i = 0; i < params; i++) {
    Insn *mov = emit (l, OP_MOV);
    mov->width = 64;
    mov->a = i < 3 ? values[i] : emit_int (l, 0);
    mov->dst = (i32)i;
  }
}

static void start_block (Lower *l) {
  Function *f = lower_function (l);
  Block b = {f->code.size, f->code.size};
  vec_push (&f->blocks, b);
  l->is_closed = false;
}

static void end_block (Lower *l) {
  Function *f = lower_function (l);
  BUG_IF (!l->is_closed);
  vec_last (&f->blocks).end = f->code.size;
}

void lower_body (Lower *l, LLVMValueRef f) {
  l->func = lower_function_index (l, f);
  l->was_cut = false;
  l->operands.size = l->edges.size = 0;
  map_clear (&l->values);
  map_clear (&l->blocks);
  lower_find_locals (l, f);
  order_blocks (l, f);
  l->is_closed = true;
  reserve_phis (l);
  for (u32 b = 0; b < l->order.size; b++) {
    start_block (l);
    l->pos = lower_function (l)->pos;
    if (!b) {
      lower_main_arguments (l, f);
      lower_params (l, f);
      lower_argument_areas (l);
    }
    for (LLVMValueRef i = LLVMGetFirstInstruction (l->order.data[b]); i;
         i = LLVMGetNextInstruction (i))
      lower_insn (l, i);
    end_block (l);
  }
  for (u32 e = 0; e < l->edges.size; e++) {
    start_block (l);
    l->pos = l->edges.data[e].pos;
    lower_jump (l, l->edges.data[e].from, l->edges.data[e].to);
    end_block (l);
  }
}

/* ---- aliases: other files may know a function by a second name, as constructors of C++ have */

static void call_and_return (Lower *l, LLVMValueRef f) {
  u32 target = lower_function_index (l, f), params = l->p->functions.data[target].params;
  u32 results = 0;
  LLVMTypeRef type = LLVMGetReturnType (LLVMGlobalGetValueType (f));
  if (LLVMGetTypeKind (type) != LLVMVoidTypeKind) results = count_scalars (l, type);
  VEC (Operand) values = {0};
  for (u32 i = 0; i < params; i++) vec_push (&values, (Operand)i);
  Insn *call = emit_with_args (l, OP_CALL, values.data, params);
  call->b = (Operand)target;
  values.size = 0;
  for (u32 k = 0; k < results; k++) {
    if (k) (call = emit (l, OP_RETVAL))->b = (Operand)k;
    call->dst = emit_reg (l);
    vec_push (&values, call->dst);
  }
  emit_with_args (l, OP_RET, values.data, values.size);
  vec_free (&values);
}

void lower_aliases (Lower *l) {
  for (LLVMValueRef a = LLVMGetFirstGlobalAlias (l->module); a; a = LLVMGetNextGlobalAlias (a)) {
    LLVMValueRef f = a;
    while (LLVMIsAGlobalAlias (f)) f = LLVMAliasGetAliasee (f);
    if (!LLVMIsAFunction (f) || LLVMIsDeclaration (f)) continue;
    size_t length;
    u32 target = lower_function_index (l, f);
    l->func = lower_declare_named (l, LLVMGetValueName2 (a, &length),
                                   l->p->functions.data[target].params);
    if (lower_function (l)->blocks.size) continue;
    l->pos = l->p->functions.data[target].pos;
    lower_function (l)->linkage = (u8)lower_linkage (a);
    if (!lower_function (l)->title)
      lower_function (l)->title = lower_title (lower_function (l)->name);
    start_block (l);
    call_and_return (l, f);
    end_block (l);
  }
}

typedef VEC (LLVMValueRef) Entries;

static u64 priority_of (LLVMValueRef entry) {
  return LLVMConstIntGetZExtValue (LLVMGetAggregateElement (entry, 0));
}

/* The entries of llvm.global_ctors or llvm.global_dtors that name functions, lowest priority first.
 */
static void find_entries (const Lower *l, const char *name, Entries *out) {
  LLVMValueRef list = LLVMGetNamedGlobal (l->module, name);
  LLVMValueRef init = list ? LLVMGetInitializer (list) : NULL;
  if (!init || LLVMGetTypeKind (LLVMTypeOf (init)) != LLVMArrayTypeKind) return;
  for (u32 i = 0; i < LLVMGetArrayLength2 (LLVMTypeOf (init)); i++) {
    LLVMValueRef entry = LLVMGetAggregateElement (init, i);
    LLVMValueRef f = entry ? LLVMGetAggregateElement (entry, 1) : NULL;
    if (!f || !LLVMIsAFunction (f) || LLVMCountParams (f)) continue;
    vec_push (out, entry);
    for (u32 k = out->size - 1; k && priority_of (out->data[k - 1]) > priority_of (entry); k--) {
      out->data[k] = out->data[k - 1];
      out->data[k - 1] = entry;
    }
  }
}

static u32 function_of (Lower *l, LLVMValueRef entry) {
  return lower_function_index (l, LLVMGetAggregateElement (entry, 1));
}

static void call_or_register (Lower *l, LLVMValueRef entry, bool is_destructor) {
  u32 function = function_of (l, entry);
  if (is_destructor) {
    Operand f = emit_const (l, (Const){.kind = CONST_FUNC, .index = function});
    emit_with_args (l, OP_CALL, &f, 1)->b = (Operand)lower_declare_named (l, "atexit", 1);
  } else {
    emit_with_args (l, OP_CALL, NULL, 0)->b = (Operand)function;
  }
}

/* One function for each priority: the linker calls those of all files in the order of their names. */
static void lower_entries (Lower *l, const char *list, bool is_destructor) {
  Entries entries = {0};
  find_entries (l, list, &entries);
  for (u32 i = 0; i < entries.size;) {
    u64 priority = priority_of (entries.data[i]);
    Str name = {0};
    str_printf (&name, CONSTRUCTORS ".%d.%05" PRIu64, !is_destructor, priority);
    l->func = lower_declare_named (l, name.text, 0);
    l->pos = 0;
    lower_function (l)->linkage = LINK_LOCAL;
    start_block (l);
    for (; i < entries.size && priority_of (entries.data[i]) == priority; i++)
      call_or_register (l, entries.data[i], is_destructor);
    emit (l, OP_RET);
    end_block (l);
    str_free (&name);
  }
  vec_free (&entries);
}

/* What C++ and the constructor attribute want to run first. Destructors are the first exit handlers,
 * so they run after all others, and the one of the lowest priority is last. */
void lower_constructors (Lower *l) {
  lower_entries (l, "llvm.global_dtors", true);
  lower_entries (l, "llvm.global_ctors", false);
}
