/* compact.c - graph colouring of the registers of a function: frames are copied with every
 * snapshot.
 *
 * Two units interfere if one is written while the other is live; a copy does not count against its
 * own source, so that both can share a register and the copy disappears. Units are coloured in the
 * order in which they are first written, each with the lowest place that no neighbour has, but
 * preferring the place of a unit it is copied from or to. Parameters have their places. So have
 * units that are live at entry, whose first value is the zero of a fresh frame: no two of them
 * share a place, nor with a parameter.
 */
#include "ir/ir_int.h"

#define NONE (~0u)
#define MAX_EDGES (1u << 24)

typedef struct Edge {
  u32 to, next;
} Edge;

typedef struct Compactor {
  Function *f;
  Cfg cfg;
  Units units;
  Liveness live;
  u32 *edges, *copies; /* by unit: lists of neighbours and of units it is copied from or to */
  VEC (Edge) pool;
  u32 *members, member_count,
      *where;  /* the units live at the point that is looked at; where: index + 1 */
  u8 *dropped; /* by instruction */
  u32 *place;  /* by unit: first register in the new frame */
  u32 *taken;  /* by place: unit + 1 that may not have it */
  u32 regs;    /* of the new frame */
} Compactor;

static void live_add (Compactor *c, u32 unit) {
  if (c->where[unit]) return;
  c->members[c->member_count++] = unit;
  c->where[unit] = c->member_count;
}

static void live_remove (Compactor *c, u32 unit) {
  if (!c->where[unit]) return;
  u32 hole = c->where[unit] - 1, moved = c->members[--c->member_count];
  c->members[hole] = moved;
  c->where[moved] = hole + 1;
  c->where[unit] = 0;
}

static void live_clear (Compactor *c) {
  while (c->member_count) c->where[c->members[--c->member_count]] = 0;
}

static void link_both (Compactor *c, u32 *lists, u32 x, u32 y) {
  vec_push (&c->pool, ((Edge){y, lists[x]}));
  lists[x] = c->pool.size - 1;
  vec_push (&c->pool, ((Edge){x, lists[y]}));
  lists[y] = c->pool.size - 1;
}

/* The unit that a copy reads; NONE if `i` is no copy between registers. */
static u32 copied_unit (const Compactor *c, const Insn *i) {
  return i->op == OP_MOV && operand_is_reg (i->a) ? c->units.of[i->a] : NONE;
}

static void add_interference (Compactor *c, const Insn *i, u32 unit) {
  u32 source = copied_unit (c, i);
  for (u32 k = 0; k < c->member_count; k++) {
    u32 other = c->members[k];
    if (other != unit && other != source) link_both (c, c->edges, unit, other);
  }
  if (source != NONE && source != unit) link_both (c, c->copies, unit, source);
}

static void scan_insn (Compactor *c, u32 index, OperandRefs *operands) {
  Insn *i = &c->f->code.data[index];
  u32 unit = 0;
  DefKind kind = insn_def (&c->units, i, &unit);
  bool is_dead = kind == DEF_ALL && !c->where[unit];
  if (is_dead && op_is_pure ((Op)i->op)) {
    c->dropped[index] = 1;
    return;
  }
  if (is_dead && (i->op == OP_CALL || i->op == OP_BUILTIN)) {
    i->dst = -1;
    kind = DEF_NONE;
  }
  if (kind != DEF_NONE) add_interference (c, i, unit);
  if (kind == DEF_ALL) live_remove (c, unit);
  if (kind == DEF_PART) live_add (c, unit);
  insn_operands (c->f, i, operands);
  for (u32 k = 0; k < operands->size; k++)
    if (operand_is_reg (*operands->data[k])) live_add (c, c->units.of[*operands->data[k]]);
}

static bool build_graph (Compactor *c) {
  OperandRefs operands = {0};
  for (u32 b = 0; b < c->cfg.count && c->pool.size < MAX_EDGES; b++) {
    live_clear (c);
    for (u32 k = c->cfg.succ_start[b]; k < c->cfg.succ_start[b + 1]; k++) {
      u32 to = c->cfg.succ[k];
      for (u32 n = c->live.start[to]; n < c->live.start[to + 1]; n++) live_add (c, c->live.live[n]);
    }
    for (u32 k = c->f->blocks.data[b].end; k-- > c->f->blocks.data[b].start;)
      scan_insn (c, k, &operands);
  }
  vec_free (&operands);
  return c->pool.size < MAX_EDGES;
}

static void set_place (Compactor *c, u32 unit, u32 place) {
  c->place[unit] = place;
  if (place + c->units.size[unit] > c->regs) c->regs = place + c->units.size[unit];
}

static void place_entry (Compactor *c) {
  u32 params = c->f->params;
  for (u32 unit = 0; unit < params; unit++) set_place (c, unit, unit);
  for (u32 k = c->live.start[0]; k < c->live.start[1]; k++)
    if (c->live.live[k] >= params) set_place (c, c->live.live[k], c->regs);
}

static bool is_free (const Compactor *c, u32 unit, u32 place) {
  for (u32 k = 0; k < c->units.size[unit]; k++)
    if (c->taken[place + k] == unit + 1) return false;
  return true;
}

static void choose_place (Compactor *c, u32 unit) {
  for (u32 n = c->edges[unit]; n != NONE; n = c->pool.data[n].next) {
    u32 other = c->pool.data[n].to;
    if (c->place[other] == NONE) continue;
    for (u32 k = 0; k < c->units.size[other]; k++) c->taken[c->place[other] + k] = unit + 1;
  }
  for (u32 n = c->copies[unit]; n != NONE; n = c->pool.data[n].next) {
    u32 place = c->place[c->pool.data[n].to];
    if (place == NONE || !is_free (c, unit, place)) continue;
    set_place (c, unit, place);
    return;
  }
  u32 place = 0;
  while (!is_free (c, unit, place)) place++;
  set_place (c, unit, place);
}

static void place_rest (Compactor *c) {
  for (u32 k = 0; k < c->f->code.size; k++) {
    u32 unit = 0;
    if (c->dropped[k] || insn_def (&c->units, &c->f->code.data[k], &unit) == DEF_NONE) continue;
    if (c->place[unit] == NONE) choose_place (c, unit);
  }
}

static i32 new_reg (const Compactor *c, i32 r) {
  u32 unit = c->units.of[r];
  return (i32)(c->place[unit] + (u32)r - c->units.first[unit]);
}

static void rename_insn (const Compactor *c, Insn *i, OperandRefs *operands) {
  insn_operands (c->f, i, operands);
  for (u32 k = 0; k < operands->size; k++)
    if (operand_is_reg (*operands->data[k])) *operands->data[k] = new_reg (c, *operands->data[k]);
  if (i->dst >= 0) i->dst = new_reg (c, i->dst);
  if (i->op == OP_SPIN) i->b = new_reg (c, i->b);
}

static void rewrite (Compactor *c) {
  Function *f = c->f, out = {0};
  OperandRefs operands = {0};
  for (u32 b = 0; b < f->blocks.size; b++) {
    u32 start = out.code.size;
    for (u32 k = f->blocks.data[b].start; k < f->blocks.data[b].end; k++) {
      Insn *i = &f->code.data[k];
      if (c->dropped[k]) continue;
      rename_insn (c, i, &operands);
      if (i->op != OP_MOV || i->a != i->dst) body_emit (&out, f, i);
    }
    vec_push (&out.blocks, ((Block){start, out.code.size}));
  }
  vec_free (&operands);
  body_replace (f, &out);
  f->regs = c->regs;
}

static void compactor_init (Compactor *c, Function *f) {
  *c = (Compactor){.f = f};
  cfg_init (&c->cfg, f);
  units_init (&c->units, f);
  size_t units = c->units.count * sizeof (u32);
  c->edges = memset (mem_alloc (units), 0xff, units);
  c->copies = memset (mem_alloc (units), 0xff, units);
  c->place = memset (mem_alloc (units), 0xff, units);
  c->members = mem_alloc (units);
  c->where = mem_zalloc (units);
  c->dropped = mem_zalloc (f->code.size);
  /* A unit that finds no gap ends at most its own size behind everything that is placed. */
  c->taken = mem_zalloc (2 * (size_t)f->regs * sizeof *c->taken);
}

static void compactor_done (Compactor *c) {
  cfg_done (&c->cfg);
  units_done (&c->units);
  liveness_done (&c->live);
  mem_free (c->edges);
  mem_free (c->copies);
  mem_free (c->place);
  mem_free (c->members);
  mem_free (c->where);
  mem_free (c->dropped);
  mem_free (c->taken);
  vec_free (&c->pool);
}

void ir_compact (Function *f) {
  Compactor c;
  compactor_init (&c, f);
  /* A function that is too large to colour keeps its registers. */
  if (liveness_init (&c.live, f, &c.cfg, &c.units) && build_graph (&c)) {
    place_entry (&c);
    place_rest (&c);
    rewrite (&c);
  }
  compactor_done (&c);
}
