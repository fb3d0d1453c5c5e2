/* choose.c - one of several programs that were compiled together: see ir_choose. */
#include "ir/ir_int.h"

static bool is_chosen (const u32 *chosen, u32 n, u64 edit) {
  for (u32 i = 0; i < n; i++)
    if (chosen[i] == edit) return true;
  return false;
}

/* A branch on what the call has said, in the same block, goes one way. */
static void fold_branch (Function *f, u32 call, bool yes) {
  u32 n = call;
  while (!op_is_terminator ((Op)f->code.data[n].op)) n++;
  Insn *i = &f->code.data[n];
  if (i->op != OP_BR || i->a != f->code.data[call].dst) return;
  i->op = OP_JMP;
  i->b = yes ? i->b : i->c;
  i->a = i->c = OPERAND_NONE;
}

void ir_choose (Program *p, const u32 *chosen, u32 n) {
  i32 edit = program_find_function (p, IR_CHOICE);
  if (edit < 0) return;
  Operand answers[] = {operand_const (program_const (p, CONST_INT, 0, 0)),
                       operand_const (program_const (p, CONST_INT, 0, 1))};
  for (u32 k = 0; k < p->functions.size; k++) {
    Function *f = &p->functions.data[k];
    for (u32 at = 0; at < f->code.size; at++) {
      Insn *i = &f->code.data[at];
      if (i->op != OP_CALL || i->a != OPERAND_NONE || i->b != edit || i->dst < 0) continue;
      Operand which = f->args.data[i->first];
      bool yes = !operand_is_reg (which) &&
                 is_chosen (chosen, n, p->consts.data[operand_const_index (which)].value);
      fold_branch (f, at, yes);
      *i = (Insn){.op = OP_MOV,
                  .width = 64,
                  .dst = i->dst,
                  .a = answers[yes],
                  .b = OPERAND_NONE,
                  .c = OPERAND_NONE,
                  .pos = i->pos};
    }
  }
}
