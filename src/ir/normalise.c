/* normalise.c - the first pass: everything after it may rely on the simple shape that it leaves. */
#include "ir/ir_int.h"

typedef struct Normaliser {
  Function *f;
  u32 *block; /* new number + 1 of each reachable block, 0 for the others */
  u32 *reg;   /* new number + 1 of each register seen so far */
  u32 regs;
  bool entry_is_target;
} Normaliser;

static bool never_goes_on (const Insn *i) {
  return op_is_terminator ((Op)i->op) ||
         (i->op == OP_BUILTIN && !builtin_returns ((Builtin)i->sub));
}

/* What stands after a builtin that does not return is dead. */
static u32 last_of (const Function *f, u32 block) {
  u32 k = f->blocks.data[block].start;
  while (!never_goes_on (&f->code.data[k])) k++;
  return k;
}

static void find_reachable (Normaliser *n) {
  Function *f = n->f;
  BlockRefs targets = {0};
  VEC (u32) todo = {0};
  vec_push (&todo, 0);
  n->block[0] = 1;
  while (todo.size) {
    u32 b = vec_pop (&todo);
    insn_targets (f, &f->code.data[last_of (f, b)], &targets);
    for (u32 k = 0; k < targets.size; k++) {
      u32 to = *targets.data[k];
      if (!to) n->entry_is_target = true;
      if (n->block[to]) continue;
      n->block[to] = 1;
      vec_push (&todo, to);
    }
  }
  u32 next = n->entry_is_target ? 1 : 0;
  for (u32 b = 0; b < f->blocks.size; b++)
    if (n->block[b]) n->block[b] = ++next;
  vec_free (&todo);
  vec_free (&targets);
}

static i32 rename_reg (Normaliser *n, i32 r) {
  if ((u32)r < n->f->params) return r;
  if (!n->reg[r]) n->reg[r] = ++n->regs;
  return (i32)n->reg[r] - 1;
}

static void rename_insn (Normaliser *n, Function *out, Insn *i, OperandRefs *operands,
                         BlockRefs *targets) {
  insn_operands (out, i, operands);
  for (u32 k = 0; k < operands->size; k++)
    if (operand_is_reg (*operands->data[k]))
      *operands->data[k] = rename_reg (n, *operands->data[k]);
  if (i->dst >= 0) i->dst = rename_reg (n, i->dst);
  insn_targets (out, i, targets);
  for (u32 k = 0; k < targets->size; k++) *targets->data[k] = n->block[*targets->data[k]] - 1;
}

static void copy_block (Normaliser *n, Function *out, u32 block) {
  OperandRefs operands = {0};
  BlockRefs targets = {0};
  u32 start = out->code.size, last = last_of (n->f, block);
  for (u32 k = n->f->blocks.data[block].start; k <= last; k++) {
    if (n->f->code.data[k].op == OP_SPIN) continue;
    body_emit (out, n->f, &n->f->code.data[k]);
    Insn *i = &vec_last (&out->code);
    i->flags &= (u8) ~(INSN_IN_SPIN | INSN_SPIN | INSN_UNUSED | INSN_SCOPED | INSN_ONCE);
    rename_insn (n, out, i, &operands, &targets);
  }
  vec_push (&out->blocks, ((Block){start, out->code.size}));
  vec_free (&operands);
  vec_free (&targets);
}

static void emit_entry (Function *out, const Function *f) {
  u32 pos = f->code.data[f->blocks.data[0].start].pos;
  Insn jmp = {.op = OP_JMP, .dst = -1, .a = OPERAND_NONE, .b = 1, .c = OPERAND_NONE, .pos = pos};
  vec_push (&out->code, jmp);
  vec_push (&out->blocks, ((Block){0, 1}));
}

void ir_normalise (Function *f) {
  Normaliser n = {.f = f, .regs = f->params};
  Function out = {0};
  n.block = mem_zalloc (f->blocks.size * sizeof *n.block);
  n.reg = mem_zalloc (f->regs * sizeof *n.reg);
  find_reachable (&n);
  if (n.entry_is_target) emit_entry (&out, f);
  for (u32 b = 0; b < f->blocks.size; b++)
    if (n.block[b]) copy_block (&n, &out, b);
  body_replace (f, &out);
  f->regs = n.regs;
  mem_free (n.block);
  mem_free (n.reg);
}
