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
    if (top->next < LLVMGetNumSuccessors (last)) {
      struct Visit v = {LLVMGetSuccessor (last, top->next++), 0};
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

/* main gets argc 1 and an argv of its name and a null pointer; --args changes both. */
static void lower_main_arguments (Lower *l, LLVMValueRef main) {
  Function *f = lower_function (l);
  if (strcmp (f->name, "main") || !f->params || !has_used_parameter (main)) return;
  Global name = {.name = mem_strdup (".argv0"), .size = 8, .align = 1};
  name.init = mem_zalloc (8);
  memcpy (name.init, "program", 8);
  Global argv = {.name = mem_strdup (IR_ARGV), .size = 16, .align = 8};
  Reloc r = {.offset = 0, .target = {.kind = CONST_GLOBAL, .index = l->p->globals.size}};
  vec_push (&argv.relocs, r);
  argv.init = mem_zalloc (16);
  vec_push (&l->p->globals, name);
  vec_push (&l->p->globals, argv);
  vec_push (&l->refusals, NULL);
  vec_push (&l->refusals, NULL);
  Operand one = emit_int (l, 1);
  Operand values[3] = {
      emit_builtin (l, BUILTIN_ARGC, &one, 1, true),
      emit_const (l, (Const){.kind = CONST_GLOBAL, .index = l->p->globals.size - 1}),
      emit_int (l, 0)};
  u32 params = f->params;
  for (u32 i = 0; i < params; i++) {
    Operand a = values[i < 2 ? i : 2];
    Insn *mov = emit (l, OP_MOV);
    mov->width = 64;
    mov->a = a;
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

/* What C++ and the constructor attribute want to run first, as one function. */
void lower_constructors (Lower *l) {
  LLVMValueRef list = LLVMGetNamedGlobal (l->module, "llvm.global_ctors");
  LLVMValueRef init = list ? LLVMGetInitializer (list) : NULL;
  if (!init || LLVMGetTypeKind (LLVMTypeOf (init)) != LLVMArrayTypeKind) return;
  l->func = lower_declare_named (l, CONSTRUCTORS, 0);
  l->pos = 0;
  lower_function (l)->linkage = LINK_LOCAL;
  start_block (l);
  for (u32 i = 0; i < LLVMGetArrayLength2 (LLVMTypeOf (init)); i++) {
    LLVMValueRef entry = LLVMGetAggregateElement (init, i);
    LLVMValueRef f = entry ? LLVMGetAggregateElement (entry, 1) : NULL;
    if (!f || !LLVMIsAFunction (f)) continue;
    u32 callee = lower_function_index (l, f);
    if (!l->p->functions.data[callee].params)
      emit_with_args (l, OP_CALL, NULL, 0)->b = (Operand)callee;
  }
  emit (l, OP_RET);
  end_block (l);
}
