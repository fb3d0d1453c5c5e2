/* lower.h - what the parts of the lowering share.
 *
 * An LLVM value of a scalar type is one operand; a first-class aggregate is the list of its scalar
 * leaves in memory order. LLVM's SSA form makes aliasing safe: casts that change no bits,
 * extractvalue, insertvalue and freeze produce no code, their value is simply the list of operands
 * of their source.
 *
 * Invariants
 *  L1  blocks are lowered in reverse post-order, so that a definition is lowered before everything
 *      it dominates
 *  L2  registers of phis are given out before any block is lowered; copies into them are made on
 *      the edges, all sources of an edge being read before any of its targets is written
 *  L3  once a terminator was emitted the block is closed, and what is emitted until the next block
 *      is dropped; so an instruction that cannot be lowered ends its block with UNSUPPORTED and the
 *      rest may go on as if it had been lowered
 */
#ifndef PORF_LOWER_H
#define PORF_LOWER_H

#include <llvm-c/Target.h>
#include "front/front.h"

typedef struct Range {
  u32 first, count;
} Range; /* operands in Lower.operands */

/* A scalar part of a type. */
typedef struct Leaf {
  u64 offset;
  u8 bits, bytes; /* bytes: what it takes in memory, perhaps not a power of two */
  bool is_float;
} Leaf;
typedef VEC (Leaf) Leaves;

typedef struct Edge {
  LLVMBasicBlockRef from, to;
  u32 pos;
} Edge; /* a block of copies between two blocks; its index is the number of ordinary blocks + this
           one's */

typedef struct Lower {
  Program *p;
  LLVMModuleRef module;
  LLVMTargetDataRef layout;
  bool is_source;            /* see front.h */
  bool is_runtime;           /* the C library for checked programs is being compiled, see lower.c */
  VEC (LLVMTypeRef) structs; /* every struct type that the module uses, see block.c */
  Map functions, globals;    /* LLVMValueRef -> index */
  VEC (char *) refusals;     /* per global: why it cannot be used, or NULL */
  Map positions, types;      /* debug info: hash of a position, DIType -> index */
  Map scopes;                /* DIScope -> file index */

  u32 func;   /* the function that is being lowered */
  Map values; /* LLVMValueRef -> Range, packed */
  Map blocks; /* LLVMBasicBlockRef -> block index */
  Map locals; /* alloca -> DILocalVariable */
  Map areas;  /* LLVMValueRef of a call -> operand, see vararg.c */
  VEC (LLVMBasicBlockRef) order;
  VEC (Operand) operands;
  VEC (Edge) edges;
  u32 pos;
  bool is_closed, was_cut; /* was_cut: some block was closed before its LLVM terminator */
  Insn dropped;            /* where instructions of closed blocks go */
} Lower;

enum { STACK_ALIGN = 16 }; /* of every stack object */

/* emit.c: making instructions */
Function *lower_function (Lower *l);
Insn *emit (Lower *l, Op op);
i32 emit_reg (Lower *l);
Operand emit_int (Lower *l, u64 value);
Operand emit_const (Lower *l, Const c);
Operand emit_bin (Lower *l, Op op, u32 width, Operand a, Operand b);
Operand emit_un (Lower *l, Op op, u32 width, Operand a);
Operand emit_cast (Lower *l, Op op, u32 from, u32 to, Operand a);
Operand emit_select (Lower *l, Operand a, Operand b, Operand c);
Operand emit_load (Lower *l, u32 bytes, Operand address, Order order, u8 flags);
void emit_store (Lower *l, u32 bytes, Operand address, Operand value, Order order, u8 flags);
Insn *emit_with_args (Lower *l, Op op, const Operand *args, u32 nargs);
Operand emit_builtin (Lower *l, Builtin b, const Operand *args, u32 nargs, bool has_result);
Operand emit_call_named (Lower *l, const char *name, const Operand *args, u32 nargs,
                         bool has_result);
void emit_unsupported (Lower *l, const char *format, ...) PRINTF (2, 3);
Operand emit_index (Lower *l, Operand base, Operand index, u64 size);
Operand emit_address (Lower *l, Operand base, u64 offset);

/* layout.c: types */
bool layout_leaves (Lower *l, LLVMTypeRef type, Leaves *out, Str *why);
bool layout_is_scalar (LLVMTypeRef type, u32 *bits);
bool layout_is_pair (LLVMTypeRef type);
u64 layout_size (Lower *l, LLVMTypeRef type);
Range layout_path (Lower *l, LLVMTypeRef type, const unsigned *indices, u32 n);

/* value.c: operands */
Range lower_value (Lower *l, LLVMValueRef v);
Operand lower_scalar (Lower *l, LLVMValueRef v);
void lower_define (Lower *l, LLVMValueRef v, Range r);
void lower_define_scalar (Lower *l, LLVMValueRef v, Operand o);
Range range_start (Lower *l);
void range_add (Lower *l, Range *r, Operand o);
Operand range_get (const Lower *l, Range r, u32 i);
u32 value_width (LLVMValueRef v);

/* pair.c: integers of 128 bits */
bool lower_uses_pair (LLVMValueRef i);
bool lower_pair_insn (Lower *l, LLVMValueRef i);
void constant_pair (LLVMValueRef v, u64 *low, u64 *high);

/* constant.c */
bool constant_fold (Lower *l, LLVMValueRef v, Const *out);
u64 constant_label (LLVMBasicBlockRef b);
bool constant_is_global (Lower *l, LLVMValueRef v, u32 *index);

/* lower.c, global.c, function.c */
void lower_symbol (Lower *l, LLVMValueRef v, const char *kind, u32 serial, Str *out);
Linkage lower_linkage (LLVMValueRef v);
void lower_declare_globals (Lower *l);
void lower_init_globals (Lower *l);
u32 lower_declare_named (Lower *l, const char *name, u32 params);
u32 lower_function_index (Lower *l, LLVMValueRef f);
bool lower_takes_more (LLVMTypeRef type);
void lower_declare_functions (Lower *l);
void lower_body (Lower *l, LLVMValueRef f);
void lower_constructors (Lower *l);

/* insn.c, memory.c, block.c, control.c, call.c, asm.c */
void lower_insn (Lower *l, LLVMValueRef i);
Operand lower_load_leaf (Lower *l, Leaf leaf, Operand base, Order order, u8 flags);
void lower_store_leaf (Lower *l, Leaf leaf, Operand base, Operand value, Order order, u8 flags);
extern const u8 lower_orders[]; /* LLVMAtomicOrdering -> Order */
void lower_load (Lower *l, LLVMValueRef i);
void lower_store (Lower *l, LLVMValueRef i);
void lower_rmw (Lower *l, LLVMValueRef i);
void lower_cmpxchg (Lower *l, LLVMValueRef i);
void lower_fence (Lower *l, LLVMValueRef i);
void lower_alloca (Lower *l, LLVMValueRef i);
Operand lower_gep (Lower *l, LLVMValueRef i);
void lower_collect_structs (Lower *l);
void lower_block_copy (Lower *l, const char *name, LLVMValueRef to, LLVMValueRef from,
                       LLVMValueRef size);
void lower_block_set (Lower *l, LLVMValueRef to, LLVMValueRef byte, LLVMValueRef size);
void lower_br (Lower *l, LLVMValueRef i);
void lower_switch (Lower *l, LLVMValueRef i);
void lower_indirect (Lower *l, LLVMValueRef i);
void lower_ret (Lower *l, LLVMValueRef i);
void lower_jump (Lower *l, LLVMBasicBlockRef from, LLVMBasicBlockRef to);
void lower_call (Lower *l, LLVMValueRef i);
bool lower_calls_extern (LLVMValueRef i);
void lower_intrinsic (Lower *l, LLVMValueRef i, const char *name);

/* vararg.c: functions with a variable number of arguments */
void lower_argument_areas (Lower *l);
Operand lower_more_arguments (Lower *l, LLVMValueRef i);
void lower_va_start (Lower *l, LLVMValueRef list);
void lower_va_copy (Lower *l, LLVMValueRef to, LLVMValueRef from);
void lower_asm (Lower *l, LLVMValueRef i, LLVMValueRef code);

/* position.c, debugtype.c */
u32 lower_position (Lower *l, LLVMValueRef i);
u32 lower_function_position (Lower *l, LLVMValueRef f);
void lower_global_debug (Lower *l, LLVMValueRef g, Global *out);
void lower_find_locals (Lower *l, LLVMValueRef f);
void lower_local_debug (Lower *l, LLVMValueRef alloca, Insn *out); /* its name and type */
u32 lower_position_at (Lower *l, LLVMMetadataRef scope, u32 line, u32 column);
LLVMMetadataRef debug_operand (Lower *l, LLVMMetadataRef node, u32 index);

#endif
