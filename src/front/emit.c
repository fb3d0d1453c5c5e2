/* emit.c - making instructions of the function that is being lowered. */
#include "front/lower.h"

Function *lower_function (Lower *l) { return &l->p->functions.data[l->func]; }

static bool is_final_builtin (u8 b) {
  return b == BUILTIN_THREAD_EXIT || b == BUILTIN_UNWIND || b == BUILTIN_ASSERT_FAIL ||
         b == BUILTIN_ABORT || b == BUILTIN_TERMINATE || b == BUILTIN_EXIT;
}

static bool is_terminator (Op op) {
  return op == OP_JMP || op == OP_BR || op == OP_SWITCH || op == OP_RET || op == OP_UNREACHABLE ||
         op == OP_UNSUPPORTED;
}

Insn *emit (Lower *l, Op op) {
  Insn i = {.op = (u8)op, .dst = -1, .a = OPERAND_NONE, .b = OPERAND_NONE, .c = OPERAND_NONE};
  i.pos = l->pos;
  if (l->is_closed) {
    l->dropped = i;
    return &l->dropped;
  }
  Function *f = lower_function (l);
  vec_push (&f->code, i);
  l->is_closed = is_terminator (op);
  return &vec_last (&f->code);
}

i32 emit_reg (Lower *l) { return (i32)lower_function (l)->regs++; }

Operand emit_const (Lower *l, Const c) {
  return operand_const (program_const (l->p, (ConstKind)c.kind, c.index, c.value));
}

Operand emit_int (Lower *l, u64 value) {
  return emit_const (l, (Const){.kind = CONST_INT, .value = value});
}

Operand emit_bin (Lower *l, Op op, u32 width, Operand a, Operand b) {
  Insn *i = emit (l, op);
  i->width = (u8)width;
  i->a = a;
  i->b = b;
  return i->dst = emit_reg (l);
}

Operand emit_un (Lower *l, Op op, u32 width, Operand a) {
  Insn *i = emit (l, op);
  i->width = (u8)width;
  i->a = a;
  return i->dst = emit_reg (l);
}

Operand emit_cast (Lower *l, Op op, u32 from, u32 to, Operand a) {
  Insn *i = emit (l, op);
  i->width = (u8)from;
  i->sub = (u8)to;
  i->a = a;
  return i->dst = emit_reg (l);
}

Operand emit_select (Lower *l, Operand a, Operand b, Operand c) {
  Insn *i = emit (l, OP_SELECT);
  i->a = a;
  i->b = b;
  i->c = c;
  return i->dst = emit_reg (l);
}

Operand emit_load (Lower *l, u32 bytes, Operand address, Order order, u8 flags) {
  Insn *i = emit (l, OP_LOAD);
  i->width = (u8)bytes;
  i->a = address;
  i->order = (u8)order;
  i->flags = flags;
  return i->dst = emit_reg (l);
}

void emit_store (Lower *l, u32 bytes, Operand address, Operand value, Order order, u8 flags) {
  Insn *i = emit (l, OP_STORE);
  i->width = (u8)bytes;
  i->a = address;
  i->b = value;
  i->order = (u8)order;
  i->flags = flags;
}

/* CALL, BUILTIN or RET with its operands. */
Insn *emit_with_args (Lower *l, Op op, const Operand *args, u32 nargs) {
  Function *f = lower_function (l);
  u32 first = f->args.size;
  if (!l->is_closed)
    for (u32 k = 0; k < nargs; k++) vec_push (&f->args, args[k]);
  Insn *i = emit (l, op);
  i->first = first;
  i->nargs = (u16)nargs;
  return i;
}

Operand emit_builtin (Lower *l, Builtin b, const Operand *args, u32 nargs, bool has_result) {
  Insn *i = emit_with_args (l, OP_BUILTIN, args, nargs);
  i->sub = (u8)b;
  if (is_final_builtin (i->sub)) l->is_closed = l->was_cut = true;
  return has_result ? (i->dst = emit_reg (l)) : emit_int (l, 0);
}

Operand emit_call_named (Lower *l, const char *name, const Operand *args, u32 nargs,
                         bool has_result) {
  u32 callee = lower_declare_named (l, name, nargs);
  Insn *i = emit_with_args (l, OP_CALL, args, nargs);
  i->b = (Operand)callee;
  return has_result ? (i->dst = emit_reg (l)) : OPERAND_NONE;
}

void emit_unsupported (Lower *l, const char *format, ...) {
  if (l->is_closed) return;
  char text[300];
  va_list list;
  va_start (list, format);
  vsnprintf (text, sizeof text, format, list);
  va_end (list);
  u32 s = 0;
  while (s < l->p->strings.size && strcmp (l->p->strings.data[s], text)) s++;
  if (s == l->p->strings.size) vec_push (&l->p->strings, mem_strdup (text));
  emit (l, OP_UNSUPPORTED)->b = (Operand)s;
  l->was_cut = true;
}

Operand emit_index (Lower *l, Operand base, Operand index, u64 size) {
  Insn *i = emit (l, OP_INDEX);
  i->a = base;
  i->b = index;
  i->c = emit_int (l, size);
  return i->dst = emit_reg (l);
}

Operand emit_address (Lower *l, Operand base, u64 offset) {
  if (!offset) return base;
  if (!operand_is_reg (base)) {
    Const c = l->p->consts.data[operand_const_index (base)];
    c.value += offset;
    return emit_const (l, c);
  }
  enum { NEAR = 1 << 16 }; /* steps that the VM does not look at */
  if (offset + NEAR >= 2 * NEAR) return emit_index (l, base, emit_int (l, offset), 1);
  return emit_bin (l, OP_ADD, 64, base, emit_int (l, offset));
}
