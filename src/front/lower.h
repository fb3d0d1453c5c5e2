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

#include "front/emit.h"

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
void lower_aliases (Lower *l);

/* nondet.c */
bool lower_is_nondet (LLVMValueRef f, LLVMTypeRef result);
void lower_nondet (Lower *l, LLVMValueRef i, LLVMValueRef f);

/* title.c */
char *lower_title (const char *symbol); /* for reports; NULL: the symbol itself is */

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
LLVMBasicBlockRef lower_only_successor (LLVMValueRef i);
void lower_br (Lower *l, LLVMValueRef i);
void lower_branch (Lower *l, Operand a, LLVMBasicBlockRef from, LLVMBasicBlockRef yes,
                   LLVMBasicBlockRef no);
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

/* exception.c */
/* What comes after the call, which was lowered from `start` on. */
void lower_landing (Lower *l, LLVMValueRef invoke, u32 start);
void lower_landingpad (Lower *l, LLVMValueRef i);
void lower_resume (Lower *l, LLVMValueRef i);
void lower_typeid (Lower *l, LLVMValueRef i);

/* position.c, debugtype.c */
u32 lower_position (Lower *l, LLVMValueRef i);
u32 lower_function_position (Lower *l, LLVMValueRef f);
void lower_global_debug (Lower *l, LLVMValueRef g, Global *out);
void lower_find_locals (Lower *l, LLVMValueRef f);
void lower_local_debug (Lower *l, LLVMValueRef alloca, Insn *out); /* its name and type */
u32 lower_position_at (Lower *l, LLVMMetadataRef scope, u32 line, u32 column);
LLVMMetadataRef debug_operand (Lower *l, LLVMMetadataRef node, u32 index);

#endif
