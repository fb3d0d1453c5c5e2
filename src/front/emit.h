/* emit.h - the module at work, and instructions with the operands, types and constants that they are
 * made of. */
#ifndef PORF_FRONT_EMIT_H
#define PORF_FRONT_EMIT_H

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

#endif
