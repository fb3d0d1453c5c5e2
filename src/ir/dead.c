/* dead.c - a register is needed if an effect reads it, or a needed computation does.
 *
 * This goes by register, not by program point, so it also removes counters that only feed
 * themselves. Such a counter would make every iteration of a spin loop look different from the last,
 * and hide the spin loop.
 */
#include "ir/ir_int.h"

#define NONE (~0u)

typedef struct Dead {
  Function *f;
  u32 *def;  /* by register: its last pure definition */
  u32 *next; /* by instruction: the pure definition of the same register before it */
  u8 *needed;
  VEC (u32) todo;
  OperandRefs operands;
} Dead;

static void need_operands (Dead *d, Insn *i) {
  insn_operands (d->f, i, &d->operands);
  for (u32 k = 0; k < d->operands.size; k++) {
    Operand o = *d->operands.data[k];
    if (!operand_is_reg (o) || d->needed[o]) continue;
    d->needed[o] = 1;
    vec_push (&d->todo, (u32)o);
  }
}

static void find_needed (Dead *d) {
  Function *f = d->f;
  for (u32 k = 0; k < f->code.size; k++) {
    Insn *i = &f->code.data[k];
    if (!insn_is_pure (i)) {
      need_operands (d, i);
      continue;
    }
    d->next[k] = d->def[i->dst];
    d->def[i->dst] = k;
  }
  while (d->todo.size) {
    u32 r = vec_pop (&d->todo);
    for (u32 k = d->def[r]; k != NONE; k = d->next[k]) need_operands (d, &f->code.data[k]);
  }
}

static bool is_dead (const Dead *d, const Insn *i) {
  return insn_is_pure (i) && !d->needed[i->dst];
}

void ir_drop_dead (Function *f) {
  Dead d = {.f = f};
  d.def = mem_alloc (f->regs * sizeof *d.def);
  memset (d.def, 0xff, f->regs * sizeof *d.def);
  d.next = mem_alloc (f->code.size * sizeof *d.next);
  d.needed = mem_zalloc (f->regs);
  find_needed (&d);
  Function out = {0};
  for (u32 b = 0; b < f->blocks.size; b++) {
    u32 start = out.code.size;
    for (u32 k = f->blocks.data[b].start; k < f->blocks.data[b].end; k++)
      if (!is_dead (&d, &f->code.data[k])) body_emit (&out, f, &f->code.data[k]);
    vec_push (&out.blocks, ((Block){start, out.code.size}));
  }
  body_replace (f, &out);
  mem_free (d.def);
  mem_free (d.next);
  mem_free (d.needed);
  vec_free (&d.todo);
  vec_free (&d.operands);
}
