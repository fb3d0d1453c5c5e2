/* livemap.c - which registers still matter after each instruction.
 *
 * The VM clears the others when it saves a thread, so that threads which differ only in what they
 * have forgotten are in the same state. Functions with more than 64 registers go without.
 */
#include "ir/ir_int.h"

typedef struct Map64 {
  Function *f;
  bool is_but_spin;
  u64 *live_in; /* by block */
  OperandRefs operands;
  BlockRefs targets;
} Map64;

static u64 bit (u32 r) { return 1ull << r; }

/* The shadows of a SPIN stay alive as long as its loop does. */
static u64 uses (Map64 *m, Insn *i) {
  u64 mask = 0;
  if (i->op == OP_SPIN && m->is_but_spin) return 0;
  insn_operands (m->f, i, &m->operands);
  for (u32 k = 0; k < m->operands.size; k++)
    if (operand_is_reg (*m->operands.data[k])) mask |= bit ((u32)*m->operands.data[k]);
  if (i->op == OP_SPIN)
    for (u32 k = 0; k < i->nargs + 2u; k++) mask |= bit ((u32)i->b + k);
  return mask;
}

static u64 live_at_end (Map64 *m, const Block *b) {
  u64 live = 0;
  insn_targets (m->f, &m->f->code.data[b->end - 1], &m->targets);
  for (u32 k = 0; k < m->targets.size; k++) live |= m->live_in[*m->targets.data[k]];
  return live;
}

/* One pass over a block, backwards; whether anything became live at its start. */
static bool pass (Map64 *m, u32 block, bool is_last) {
  const Block *b = &m->f->blocks.data[block];
  u64 live = live_at_end (m, b);
  for (u32 k = b->end; k-- > b->start;) {
    Insn *i = &m->f->code.data[k];
    if (i->dst >= 0) live &= ~bit ((u32)i->dst);
    if (is_last)
      *(m->is_but_spin ? &m->f->live_after[k].but_spin : &m->f->live_after[k].all) = live;
    live |= uses (m, i);
  }
  bool changed = live != m->live_in[block];
  m->live_in[block] = live;
  return changed;
}

static void map_live (Function *f, bool is_but_spin) {
  Map64 m = {.f = f,
             .is_but_spin = is_but_spin,
             .live_in = mem_zalloc (f->blocks.size * sizeof *m.live_in)};
  for (bool changed = true; changed;) {
    changed = false;
    for (u32 b = f->blocks.size; b-- > 0;) changed |= pass (&m, b, false);
  }
  for (u32 b = 0; b < f->blocks.size; b++) pass (&m, b, true);
  mem_free (m.live_in);
  vec_free (&m.operands);
  vec_free (&m.targets);
}

void ir_map_live (Function *f) {
  if (f->regs > 64) return;
  f->live_after = mem_alloc (f->code.size * sizeof *f->live_after);
  map_live (f, false);
  map_live (f, true);
}
