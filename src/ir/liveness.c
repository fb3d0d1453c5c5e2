/* liveness.c - which units are live at the start of each block.
 *
 * Each unit is followed backwards from the blocks that read it before writing it, up to the blocks
 * that write it. The time is that of writing the answer down, so large functions with short live
 * ranges cost little.
 */
#include "ir/ir_int.h"

#define NONE (~0u)
#define MAX_LIVE (1u << 26) /* entries of the answer */

void units_init (Units *u, const Function *f) {
  u32 *group = mem_zalloc (f->regs * sizeof *group);
  for (u32 k = 0; k < f->code.size; k++) {
    const Insn *i = &f->code.data[k];
    if (i->op == OP_SPIN) group[i->b] = i->nargs + 2u;
  }
  u->count = 0;
  u->of = mem_alloc (f->regs * sizeof *u->of);
  u->first = mem_alloc (f->regs * sizeof *u->first);
  u->size = mem_alloc (f->regs * sizeof *u->size);
  for (u32 r = 0; r < f->regs; u->count++) {
    u32 size = group[r] ? group[r] : 1;
    u->first[u->count] = r;
    u->size[u->count] = size;
    for (u32 k = 0; k < size; k++) u->of[r++] = u->count;
  }
  mem_free (group);
}

void units_done (Units *u) {
  mem_free (u->of);
  mem_free (u->first);
  mem_free (u->size);
}

/* The visit counter, last of the shadows, is the first that is written on the way into a loop: with
 * it a new life of the shadows begins. */
DefKind insn_def (const Units *u, const Insn *i, u32 *unit) {
  i32 r = i->op == OP_SPIN ? i->b : i->dst;
  if (r < 0) return DEF_NONE;
  *unit = u->of[r];
  if (i->op == OP_SPIN) return DEF_PART;
  return (u32)r == u->first[*unit] + u->size[*unit] - 1 ? DEF_ALL : DEF_PART;
}

typedef struct Node {
  u32 block, next;
} Node;

typedef struct Builder {
  Function *f;
  const Cfg *cfg;
  const Units *units;
  u32 *uses, *defs; /* by unit: lists of blocks that read it first, and that write it */
  VEC (Node) nodes;
  u32 *used, *defined; /* by unit, while a block is scanned: block + 1 */
  u32 *live, *killed;  /* by block, while a unit is followed: unit + 1 */
  VEC (u32) todo;
  VEC (Node) answer; /* block, and the unit in `next` */
} Builder;

static void note (Builder *b, u32 *list, u32 block) {
  vec_push (&b->nodes, ((Node){block, *list}));
  *list = b->nodes.size - 1;
}

static void note_use (Builder *b, u32 unit, u32 block) {
  if (b->used[unit] == block + 1 || b->defined[unit] == block + 1) return;
  b->used[unit] = block + 1;
  note (b, &b->uses[unit], block);
}

static void scan_block (Builder *b, u32 block, OperandRefs *operands) {
  Function *f = b->f;
  for (u32 k = f->blocks.data[block].start; k < f->blocks.data[block].end; k++) {
    Insn *i = &f->code.data[k];
    insn_operands (f, i, operands);
    for (u32 n = 0; n < operands->size; n++)
      if (operand_is_reg (*operands->data[n]))
        note_use (b, b->units->of[*operands->data[n]], block);
    u32 unit = 0;
    DefKind kind = insn_def (b->units, i, &unit);
    if (kind == DEF_PART) note_use (b, unit, block);
    if (kind != DEF_ALL || b->defined[unit] == block + 1) continue;
    b->defined[unit] = block + 1;
    note (b, &b->defs[unit], block);
  }
}

static void make_live (Builder *b, u32 block, u32 unit) {
  if (b->live[block] == unit + 1) return;
  b->live[block] = unit + 1;
  vec_push (&b->todo, block);
  vec_push (&b->answer, ((Node){block, unit}));
}

static void follow (Builder *b, u32 unit) {
  const Cfg *c = b->cfg;
  for (u32 n = b->defs[unit]; n != NONE; n = b->nodes.data[n].next)
    b->killed[b->nodes.data[n].block] = unit + 1;
  for (u32 n = b->uses[unit]; n != NONE; n = b->nodes.data[n].next)
    make_live (b, b->nodes.data[n].block, unit);
  while (b->todo.size) {
    u32 block = vec_pop (&b->todo);
    for (u32 k = c->pred_start[block]; k < c->pred_start[block + 1]; k++)
      if (b->killed[c->pred[k]] != unit + 1) make_live (b, c->pred[k], unit);
  }
}

static void sort_answer (Liveness *l, const Builder *b) {
  u32 blocks = b->cfg->count;
  l->start = mem_zalloc ((blocks + 2) * sizeof *l->start);
  l->live = mem_alloc (b->answer.size * sizeof *l->live);
  /* Counted two places on, so that filling leaves start[b] where block b begins. */
  for (u32 k = 0; k < b->answer.size; k++) l->start[b->answer.data[k].block + 2]++;
  for (u32 n = 1; n <= blocks + 1; n++) l->start[n] += l->start[n - 1];
  for (u32 k = 0; k < b->answer.size; k++)
    l->live[l->start[b->answer.data[k].block + 1]++] = b->answer.data[k].next;
}

bool liveness_init (Liveness *l, Function *f, const Cfg *c, const Units *u) {
  Builder b = {.f = f, .cfg = c, .units = u};
  OperandRefs operands = {0};
  size_t units = u->count * sizeof (u32), blocks = c->count * sizeof (u32);
  b.uses = memset (mem_alloc (units), 0xff, units);
  b.defs = memset (mem_alloc (units), 0xff, units);
  b.used = mem_zalloc (units);
  b.defined = mem_zalloc (units);
  b.live = mem_zalloc (blocks);
  b.killed = mem_zalloc (blocks);
  for (u32 k = 0; k < c->count; k++) scan_block (&b, k, &operands);
  u32 unit = 0;
  while (unit < u->count && b.answer.size < MAX_LIVE) follow (&b, unit++);
  *l = (Liveness){0};
  if (unit == u->count) sort_answer (l, &b);
  mem_free (b.uses);
  mem_free (b.defs);
  mem_free (b.used);
  mem_free (b.defined);
  mem_free (b.live);
  mem_free (b.killed);
  vec_free (&b.nodes);
  vec_free (&b.todo);
  vec_free (&b.answer);
  vec_free (&operands);
  return unit == u->count;
}

void liveness_done (Liveness *l) {
  mem_free (l->start);
  mem_free (l->live);
}
