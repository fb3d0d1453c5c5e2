/* compact.c - gives registers new numbers so that frames are small: they are copied with every
 * snapshot.
 *
 * Units that live across blocks are coloured as a graph. Two of them interfere if one is written
 * while the other is live; a copy does not count against its own source, so that both can share a
 * register and the copy disappears. They are taken in the order in which they are first written,
 * each gets the lowest place that no neighbour has, but rather that of a unit it is copied from or
 * to. Parameters have their places. So have units that are live at entry, whose first value is the
 * zero of a fresh frame: no two of them share a place, nor with a parameter.
 *
 * Units that live inside one block only, the great majority, then fill the gaps, each block on its
 * own. That keeps the graph small.
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
  u8 *is_global;                      /* by unit: lives across blocks */
  u8 *dropped;                        /* by instruction */
  u8 *is_live;                        /* by unit, at the point that is looked at */
  u32 *members, member_count, *where; /* the global ones of these; where: index in members */
  u32 *edges,
      *copies; /* by global unit: lists of neighbours and of units it is copied from or to */
  VEC (Edge) pool;
  u32 *place; /* by unit: first register in the new frame */
  u32 *taken; /* by place: unit + 1 that may not have it */
  u32 regs;   /* of the new frame */
  /* For local units; see place_block (). */
  u32 *busy, *recent;                /* by place */
  u32 *ends, *defs_left, *preferred; /* by unit */
} Compactor;

static void live_add (Compactor *c, u32 unit) {
  if (c->is_live[unit]) return;
  c->is_live[unit] = 1;
  if (!c->is_global[unit]) return;
  c->where[unit] = c->member_count;
  c->members[c->member_count++] = unit;
}

static void live_remove (Compactor *c, u32 unit) {
  if (!c->is_live[unit]) return;
  c->is_live[unit] = 0;
  if (!c->is_global[unit]) return;
  u32 moved = c->members[--c->member_count];
  c->members[c->where[unit]] = moved;
  c->where[moved] = c->where[unit];
}

/* At the start of a block only global units are live. */
static void live_clear (Compactor *c) {
  while (c->member_count) c->is_live[c->members[--c->member_count]] = 0;
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
  if (source != NONE && source != unit && c->is_global[source])
    link_both (c, c->copies, unit, source);
}

static void scan_insn (Compactor *c, u32 index, OperandRefs *operands) {
  Insn *i = &c->f->code.data[index];
  u32 unit = 0;
  DefKind kind = insn_def (&c->units, i, &unit);
  bool is_dead = kind == DEF_ALL && !c->is_live[unit];
  if (is_dead && insn_is_pure (i)) {
    c->dropped[index] = 1;
    return;
  }
  if (is_dead && (i->op == OP_CALL || i->op == OP_BUILTIN)) {
    i->dst = -1;
    kind = DEF_NONE;
  }
  if (is_dead && i->op == OP_RMW) i->flags |= INSN_UNUSED;
  if (kind != DEF_NONE && c->is_global[unit]) add_interference (c, i, unit);
  if (kind == DEF_ALL) live_remove (c, unit);
  if (kind == DEF_PART) live_add (c, unit);
  insn_operands (c->f, i, operands);
  for (u32 k = 0; k < operands->size; k++)
    if (operand_is_reg (*operands->data[k])) live_add (c, c->units.of[*operands->data[k]]);
}

static void live_at_end (Compactor *c, u32 block) {
  for (u32 k = c->cfg.succ_start[block]; k < c->cfg.succ_start[block + 1]; k++) {
    u32 to = c->cfg.succ[k];
    for (u32 n = c->live.start[to]; n < c->live.start[to + 1]; n++) live_add (c, c->live.live[n]);
  }
}

static bool build_graph (Compactor *c) {
  OperandRefs operands = {0};
  for (u32 b = 0; b < c->cfg.count && c->pool.size < MAX_EDGES; b++) {
    live_at_end (c, b);
    for (u32 k = c->f->blocks.data[b].end; k-- > c->f->blocks.data[b].start;)
      scan_insn (c, k, &operands);
    live_clear (c);
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

static void place_globals (Compactor *c) {
  for (u32 k = 0; k < c->f->code.size; k++) {
    u32 unit = 0;
    if (c->dropped[k] || insn_def (&c->units, &c->f->code.data[k], &unit) == DEF_NONE) continue;
    if (c->is_global[unit] && c->place[unit] == NONE) choose_place (c, unit);
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

static void occupy (Compactor *c, u32 unit) {
  if (c->is_live[unit]) return;
  live_add (c, unit);
  for (u32 k = 0; k < c->units.size[unit]; k++) c->busy[c->place[unit] + k]++;
}

/* `at` is the instruction after which the unit was last seen to hold its place. */
static void release (Compactor *c, u32 unit, u32 at) {
  bool was_live = c->is_live[unit];
  live_remove (c, unit);
  for (u32 k = 0; k < c->units.size[unit]; k++) {
    if (was_live) c->busy[c->place[unit] + k]--;
    c->recent[c->place[unit] + k] = at;
  }
}

static bool is_gap (const Compactor *c, u32 place, u32 end) {
  return place != NONE && !c->busy[place] && c->recent[place] > end;
}

static void choose_gap (Compactor *c, u32 unit, u32 start, u32 source) {
  u32 end = c->ends[unit], place = c->preferred[unit];
  if (!is_gap (c, place, end)) place = source == NONE ? NONE : c->place[source];
  if (!is_gap (c, place, end)) place = 0;
  while (!is_gap (c, place, end)) place++;
  c->recent[place] = start;
  c->ends[unit] = c->preferred[unit] = NONE;
  set_place (c, unit, place);
}

static void place_def (Compactor *c, const Insn *i, u32 index, u32 unit) {
  u32 source = copied_unit (c, i);
  bool from_local = source != NONE && !c->is_global[source];
  if (c->is_global[unit]) {
    release (c, unit, index);
  } else {
    if (c->ends[unit] == NONE) c->ends[unit] = index; /* it is not read, but written */
    if (--c->defs_left[unit]) return;
    choose_gap (c, unit, index, from_local ? NONE : source);
  }
  if (from_local) c->preferred[source] = c->place[unit];
}

static void place_insn (Compactor *c, u32 index, OperandRefs *operands) {
  Insn *i = &c->f->code.data[index];
  u32 unit = 0;
  DefKind kind = insn_def (&c->units, i, &unit);
  if (kind == DEF_ALL) place_def (c, i, index, unit);
  if (kind == DEF_PART) occupy (c, unit);
  insn_operands (c->f, i, operands);
  for (u32 k = 0; k < operands->size; k++) {
    if (!operand_is_reg (*operands->data[k])) continue;
    u32 used = c->units.of[*operands->data[k]];
    if (c->is_global[used])
      occupy (c, used);
    else if (c->ends[used] == NONE)
      c->ends[used] = index - 1;
  }
}

/* Gives the local units of a block their places, from its end to its start, and renames its
 * instructions.
 *
 * Time is counted in instructions: a unit that is written by s and last read by e holds its place
 * after s up to after e - 1. When the scan comes to s, all that happens in between is known: a
 * place is free if it is not busy with a global unit now, and was last seen in use (`recent`) only
 * later than after e - 1. Blocks are done from the last to the first, so what later blocks left in
 * `recent` never looks like a conflict. */
static void place_block (Compactor *c, u32 block, OperandRefs *operands) {
  const Block *b = &c->f->blocks.data[block];
  for (u32 k = b->start; k < b->end; k++) {
    u32 unit = 0;
    if (!c->dropped[k] && insn_def (&c->units, &c->f->code.data[k], &unit) == DEF_ALL)
      c->defs_left[unit]++;
  }
  for (u32 k = c->cfg.succ_start[block]; k < c->cfg.succ_start[block + 1]; k++) {
    u32 to = c->cfg.succ[k];
    for (u32 n = c->live.start[to]; n < c->live.start[to + 1]; n++) occupy (c, c->live.live[n]);
  }
  for (u32 k = b->end; k-- > b->start;)
    if (!c->dropped[k]) place_insn (c, k, operands);
  while (c->member_count) release (c, c->members[c->member_count - 1], b->start);
  for (u32 k = b->start; k < b->end; k++)
    if (!c->dropped[k]) rename_insn (c, &c->f->code.data[k], operands);
}

static void rewrite (Compactor *c) {
  Function *f = c->f, out = {0};
  OperandRefs operands = {0};
  for (u32 b = f->blocks.size; b-- > 0;) place_block (c, b, &operands);
  for (u32 b = 0; b < f->blocks.size; b++) {
    u32 start = out.code.size;
    for (u32 k = f->blocks.data[b].start; k < f->blocks.data[b].end; k++) {
      const Insn *i = &f->code.data[k];
      if (!c->dropped[k] && (i->op != OP_MOV || i->a != i->dst)) body_emit (&out, f, i);
    }
    vec_push (&out.blocks, ((Block){start, out.code.size}));
  }
  vec_free (&operands);
  body_replace (f, &out);
  f->regs = c->regs;
}

static u32 *filled (u32 n, int byte) {
  return memset (mem_alloc (n * sizeof (u32)), byte, n * sizeof (u32));
}

static void compactor_init (Compactor *c, Function *f) {
  *c = (Compactor){.f = f};
  cfg_init (&c->cfg, f);
  units_init (&c->units, f);
  u32 units = c->units.count;
  c->is_global = mem_zalloc (units);
  c->is_live = mem_zalloc (units);
  c->dropped = mem_zalloc (f->code.size);
  c->members = filled (units, 0);
  c->where = filled (units, 0);
  c->edges = filled (units, 0xff);
  c->copies = filled (units, 0xff);
  c->place = filled (units, 0xff);
  c->ends = filled (units, 0xff);
  c->preferred = filled (units, 0xff);
  c->defs_left = filled (units, 0);
  /* A unit that finds no gap ends at most its own size after everything that is placed. */
  c->taken = filled (2 * f->regs, 0);
  c->busy = filled (2 * f->regs, 0);
  c->recent = filled (2 * f->regs, 0xff);
}

static void compactor_done (Compactor *c) {
  cfg_done (&c->cfg);
  units_done (&c->units);
  liveness_done (&c->live);
  void *const arrays[] = {c->is_global, c->is_live, c->dropped,   c->members, c->where,
                          c->edges,     c->copies,  c->place,     c->ends,    c->preferred,
                          c->taken,     c->busy,    c->defs_left, c->recent};
  for (u32 k = 0; k < ARRAY_SIZE (arrays); k++) mem_free (arrays[k]);
  vec_free (&c->pool);
}

static void find_globals (Compactor *c) {
  for (u32 k = 0; k < c->live.start[c->cfg.count]; k++) c->is_global[c->live.live[k]] = 1;
}

void ir_compact (Function *f) {
  Compactor c;
  compactor_init (&c, f);
  if (liveness_init (&c.live, f, &c.cfg, &c.units)) {
    find_globals (&c);
    /* A function that is too large to colour keeps its registers. */
    if (build_graph (&c)) {
      place_entry (&c);
      place_globals (&c);
      rewrite (&c);
    }
  }
  compactor_done (&c);
}
