/* control.c - branches, and the copies that phis stand for. */
#include "front/lower.h"

typedef struct Copy {
  Operand dst, src;
} Copy;
typedef VEC (Copy) Copies;

static u32 block_index (Lower *l, LLVMBasicBlockRef b) {
  u64 n = 0;
  bool found = map_get (&l->blocks, (u64)(uintptr_t)b, &n);
  BUG_IF (!found);
  return (u32)n;
}

static LLVMValueRef incoming (LLVMValueRef phi, LLVMBasicBlockRef from) {
  for (u32 i = 0; i < LLVMCountIncoming (phi); i++)
    if (LLVMGetIncomingBlock (phi, i) == from) return LLVMGetIncomingValue (phi, i);
  return NULL;
}

static void collect_copies (Lower *l, LLVMBasicBlockRef from, LLVMBasicBlockRef to, Copies *out) {
  for (LLVMValueRef i = LLVMGetFirstInstruction (to); i && LLVMIsAPHINode (i);
       i = LLVMGetNextInstruction (i)) {
    LLVMValueRef v = incoming (i, from);
    if (!v) continue;
    Range dst = lower_value (l, i), src = lower_value (l, v);
    for (u32 k = 0; k < dst.count && k < src.count; k++) {
      Copy c = {range_get (l, dst, k), range_get (l, src, k)};
      if (c.dst != c.src) vec_push (out, c);
    }
  }
}

static bool is_source (const Copies *copies, Operand o) {
  for (u32 i = 0; i < copies->size; i++)
    if (copies->data[i].src == o) return true;
  return false;
}

static void emit_copy (Lower *l, Operand dst, Operand src) {
  Insn *i = emit (l, OP_MOV);
  i->width = 64;
  i->a = src;
  i->dst = dst;
}

/* Copies all at once in effect: a register is written when its old value is no longer needed; what is
 * left then are cycles, each opened by saving one register. */
static void emit_copies (Lower *l, Copies *copies) {
  while (copies->size) {
    u32 i = 0;
    while (i < copies->size && is_source (copies, copies->data[i].dst)) i++;
    if (i < copies->size) {
      emit_copy (l, copies->data[i].dst, copies->data[i].src);
      copies->data[i] = vec_last (copies);
      copies->size--;
      continue;
    }
    Operand saved = emit_reg (l), old = copies->data[0].dst;
    emit_copy (l, saved, old);
    for (u32 k = 0; k < copies->size; k++)
      if (copies->data[k].src == old) copies->data[k].src = saved;
  }
}

/* Ends the current block: copies for the edge, then a jump. */
void lower_jump (Lower *l, LLVMBasicBlockRef from, LLVMBasicBlockRef to) {
  Copies copies = {0};
  collect_copies (l, from, to, &copies);
  emit_copies (l, &copies);
  emit (l, OP_JMP)->b = (Operand)block_index (l, to);
  vec_free (&copies);
}

/* Where a conditional branch goes: to the block itself, or to a block of copies on the edge. */
static u32 edge_target (Lower *l, LLVMBasicBlockRef from, LLVMBasicBlockRef to) {
  LLVMValueRef first = LLVMGetFirstInstruction (to);
  if (!first || !LLVMIsAPHINode (first)) return block_index (l, to);
  for (u32 i = 0; i < l->edges.size; i++)
    if (l->edges.data[i].from == from && l->edges.data[i].to == to) return l->order.size + i;
  Edge e = {from, to, l->pos};
  vec_push (&l->edges, e);
  return l->order.size + l->edges.size - 1;
}

/* Where a terminator goes whatever happens, or NULL. An inlined function may know its arguments. */
LLVMBasicBlockRef lower_only_successor (LLVMValueRef i) {
  bool is_switch = LLVMIsASwitchInst (i);
  if (!is_switch && !LLVMIsABranchInst (i)) return NULL;
  if (!is_switch && !LLVMIsConditional (i)) return LLVMGetSuccessor (i, 0);
  LLVMValueRef by = is_switch ? LLVMGetOperand (i, 0) : LLVMGetCondition (i);
  if (!LLVMIsAConstantInt (by)) return NULL;
  if (!is_switch) return LLVMGetSuccessor (i, LLVMIsNull (by) ? 1 : 0);
  for (u32 k = 1; k < LLVMGetNumSuccessors (i); k++)
    if (LLVMGetOperand (i, 2 * k) == by) return LLVMGetSuccessor (i, k);
  return LLVMGetSwitchDefaultDest (i);
}

void lower_branch (Lower *l, Operand a, LLVMBasicBlockRef from, LLVMBasicBlockRef yes,
                   LLVMBasicBlockRef no) {
  u32 first = edge_target (l, from, yes), second = edge_target (l, from, no);
  Insn *br = emit (l, OP_BR);
  br->a = a;
  br->b = (Operand)first;
  br->c = (Operand)second;
}

void lower_br (Lower *l, LLVMValueRef i) {
  LLVMBasicBlockRef from = LLVMGetInstructionParent (i), to = lower_only_successor (i);
  if (to) {
    lower_jump (l, from, to);
    return;
  }
  Operand a = lower_scalar (l, LLVMGetCondition (i));
  if (l->is_closed) return;
  lower_branch (l, a, from, LLVMGetSuccessor (i, 0), LLVMGetSuccessor (i, 1));
}

/* Operands of an LLVM switch: condition, default block, then pairs of value and block. */
void lower_switch (Lower *l, LLVMValueRef i) {
  LLVMBasicBlockRef from = LLVMGetInstructionParent (i), to = lower_only_successor (i);
  if (to) {
    lower_jump (l, from, to);
    return;
  }
  Operand a = lower_scalar (l, LLVMGetOperand (i, 0));
  if (l->is_closed) return;
  Function *f = lower_function (l);
  u32 first = f->cases.size, n = LLVMGetNumSuccessors (i) - 1;
  u32 otherwise = edge_target (l, from, LLVMGetSwitchDefaultDest (i));
  if (n > UINT16_MAX) {
    emit_unsupported (l, "switch with more than %d cases", UINT16_MAX);
    return;
  }
  for (u32 k = 1; k <= n; k++) {
    Case c = {LLVMConstIntGetZExtValue (LLVMGetOperand (i, 2 * k)),
              edge_target (l, from, LLVMGetSuccessor (i, k))};
    vec_push (&f->cases, c);
  }
  Insn *s = emit (l, OP_SWITCH);
  s->a = a;
  s->b = (Operand)otherwise;
  s->first = first;
  s->nargs = (u16)n;
}

/* goto *p is a switch over the labels whose address was taken. */
void lower_indirect (Lower *l, LLVMValueRef i) {
  LLVMBasicBlockRef from = LLVMGetInstructionParent (i);
  Operand a = lower_scalar (l, LLVMGetOperand (i, 0));
  u32 n = LLVMGetNumSuccessors (i);
  if (l->is_closed) return;
  if (!n || n > UINT16_MAX) {
    emit_unsupported (l, "computed goto with %u labels", n);
    return;
  }
  Function *f = lower_function (l);
  u32 first = f->cases.size, seen = 0;
  for (u32 k = 0; k < n; k++) {
    LLVMBasicBlockRef to = LLVMGetSuccessor (i, k);
    Case c = {constant_label (to), edge_target (l, from, to)};
    bool is_new = true;
    for (u32 j = 0; j < seen; j++) is_new &= f->cases.data[first + j].value != c.value;
    if (!is_new) continue;
    vec_push (&f->cases, c);
    seen++;
  }
  Insn *s = emit (l, OP_SWITCH);
  s->a = a;
  s->b = (Operand)f->cases.data[first].block;
  s->first = first;
  s->nargs = (u16)seen;
}

void lower_ret (Lower *l, LLVMValueRef i) {
  Range r = range_start (l);
  if (LLVMGetNumOperands (i)) r = lower_value (l, LLVMGetOperand (i, 0));
  emit_with_args (l, OP_RET, l->operands.data + r.first, r.count);
}
