/* loops.c - finds loops and puts a SPIN at the head of each.
 *
 * Loops are those of Havlak, "Nesting of reducible and irreducible loops" (TOPLAS 1997): every
 * target of a retreating edge of a depth-first search is a head, its body is what reaches such an
 * edge from below the head. Bodies are strongly connected and either nested or disjoint, and every
 * cycle runs through a head, also in irreducible code.
 *
 * A SPIN compares the registers that are live at the head and written in the body; the others
 * cannot have changed since the last visit, because every edge into the body, wherever it enters,
 * resets the shadows.
 */
#include "ir/ir_int.h"

#define NONE (~0u)
#define MAX_COMPARED 1024 /* a head with more live registers only counts its visits */

typedef struct Loop {
  u32 head, parent; /* parents come after their children; NONE is above all */
  u32 latch;        /* the only block with an edge back to the head, or NONE */
  u32 defs;         /* list of the registers that the body writes, one entry a write */
  u32 shadow;       /* first shadow register */
  u32 first, nargs; /* compared registers, in Finder.compared */
  bool detects, is_in_spin;
} Loop;

typedef struct Node {
  u32 value, next;
} Node;

typedef struct Finder {
  Program *p;
  Function *f;
  Cfg cfg;
  u32 *order;      /* blocks in depth-first preorder */
  u32 *pre, *last; /* by block: its number there, and the largest number below it */
  u32 *rep;        /* union-find: a block of a loop already found stands for its head */
  u32 *entries;    /* by block: list of the blocks that jump to it from elsewhere than below it */
  u32 *loop_of;    /* by block: innermost loop, or NONE */
  VEC (Loop) loops;
  VEC (Node) nodes;
  VEC (Operand) compared;
} Finder;

static void list_push (Finder *x, u32 *list, u32 value) {
  vec_push (&x->nodes, ((Node){value, *list}));
  *list = x->nodes.size - 1;
}

static void number_blocks (Finder *x) {
  u32 n = x->cfg.count, count = 0;
  u32 *next = mem_alloc (n * sizeof *next);
  VEC (u32) path = {0};
  memcpy (next, x->cfg.succ_start, n * sizeof *next);
  memset (x->pre, 0xff, n * sizeof *x->pre);
  vec_push (&path, 0);
  x->order[0] = 0;
  x->pre[0] = count++;
  while (path.size) {
    u32 b = vec_last (&path);
    if (next[b] == x->cfg.succ_start[b + 1]) {
      x->last[b] = count - 1;
      path.size--;
      continue;
    }
    u32 to = x->cfg.succ[next[b]++];
    if (x->pre[to] != NONE) continue;
    x->order[count] = to;
    x->pre[to] = count++;
    vec_push (&path, to);
  }
  mem_free (next);
  vec_free (&path);
}

static bool is_below (const Finder *x, u32 head, u32 b) {
  return x->pre[head] <= x->pre[b] && x->pre[b] <= x->last[head];
}

static u32 find (Finder *x, u32 b) {
  while (x->rep[b] != b) b = x->rep[b] = x->rep[x->rep[b]];
  return b;
}

typedef struct Body {
  VEC (u32) list;
  u32 *seen; /* by block: head + 1 */
} Body;

static void body_add (Body *body, u32 head, u32 b) {
  if (b == head || body->seen[b] == head + 1) return;
  body->seen[b] = head + 1;
  vec_push (&body->list, b);
}

static void close_body (Finder *x, Body *body, u32 head) {
  for (u32 k = 0; k < body->list.size; k++) {
    for (u32 n = x->entries[body->list.data[k]]; n != NONE; n = x->nodes.data[n].next) {
      u32 from = find (x, x->nodes.data[n].value);
      if (is_below (x, head, from))
        body_add (body, head, from);
      else if (from != head)
        list_push (x, &x->entries[head], from); /* irreducible: the loop is also entered here */
    }
  }
}

static void find_loop (Finder *x, Body *body, u32 head) {
  bool is_loop = false;
  Loop loop = {.head = head, .parent = NONE, .latch = NONE, .defs = NONE};
  body->list.size = 0;
  for (u32 k = x->cfg.pred_start[head]; k < x->cfg.pred_start[head + 1]; k++) {
    u32 from = x->cfg.pred[k];
    if (!is_below (x, head, from)) {
      list_push (x, &x->entries[head], from);
      continue;
    }
    loop.latch = is_loop && loop.latch != from ? NONE : from;
    is_loop = true;
    body_add (body, head, find (x, from));
  }
  if (!is_loop) return;
  close_body (x, body, head);
  u32 index = x->loops.size;
  for (u32 k = 0; k < body->list.size; k++) {
    u32 b = body->list.data[k];
    x->rep[b] = head;
    if (x->loop_of[b] == NONE)
      x->loop_of[b] = index;
    else
      x->loops.data[x->loop_of[b]].parent = index;
  }
  x->loop_of[head] = index;
  vec_push (&x->loops, loop);
}

static void find_loops (Finder *x) {
  Body body = {.seen = mem_zalloc (x->cfg.count * sizeof *body.seen)};
  for (u32 k = x->cfg.count; k-- > 0;) find_loop (x, &body, x->order[k]);
  mem_free (body.seen);
  vec_free (&body.list);
}

/* The innermost loop around both. Parents have larger numbers, so the smaller number steps up. */
static u32 common_loop (const Finder *x, u32 a, u32 b) {
  while (a != b) {
    if (a < b)
      a = x->loops.data[a].parent;
    else
      b = x->loops.data[b].parent;
  }
  return a;
}

static void collect_defs (Finder *x) {
  for (u32 b = 0; b < x->cfg.count; b++)
    for (u32 k = x->f->blocks.data[b].start; k < x->f->blocks.data[b].end; k++) {
      i32 dst = x->f->code.data[k].dst;
      if (dst < 0 || (x->f->code.data[k].op == OP_MOV && x->f->code.data[k].flags & INSN_UNSEEN))
        continue;
      for (u32 l = x->loop_of[b]; l != NONE; l = x->loops.data[l].parent)
        list_push (x, &x->loops.data[l].defs, (u32)dst);
    }
}

/* `counts` holds how often the body of the loop writes each register. */
static bool is_copied_to (const Finder *x, u32 block, i32 from, i32 to) {
  for (u32 k = x->f->blocks.data[block].start; k < x->f->blocks.data[block].end; k++) {
    const Insn *i = &x->f->code.data[k];
    if (i->op == OP_MOV && i->dst == to && i->a == from) return true;
  }
  return false;
}

static bool is_step (const Finder *x, const Insn *i) {
  Op op = op_wrapping ((Op)i->op);
  if ((op != OP_ADD && op != OP_SUB) || !operand_is_reg (i->a) || operand_is_reg (i->b))
    return false;
  const Const *c = &x->p->consts.data[operand_const_index (i->b)];
  return c->kind == CONST_INT && (c->value << (64 - i->width)) != 0;
}

/* Whether the loop counts: some register that it writes once an iteration differs every time,
 * so the loop never comes back to the same state. Only blocks on every iteration
 * are considered: head and latch. */
static bool counts_in (const Finder *x, const Loop *l, u32 block, const u32 *counts) {
  for (u32 k = x->f->blocks.data[block].start; k < x->f->blocks.data[block].end; k++) {
    const Insn *i = &x->f->code.data[k];
    if (!is_step (x, i) || counts[i->dst] != 1) continue;
    if (i->a == i->dst) return true;
    if (counts[i->a] != 1) continue;
    if (is_copied_to (x, l->head, i->dst, i->a)) return true;
    if (l->latch != NONE && is_copied_to (x, l->latch, i->dst, i->a)) return true;
  }
  return false;
}

static bool is_counting (const Finder *x, Loop *l, u32 index, const u32 *counts) {
  if (l->latch != NONE && x->loop_of[l->latch] != index) l->latch = NONE;
  return counts_in (x, l, l->head, counts) ||
         (l->latch != NONE && counts_in (x, l, l->latch, counts));
}

static void choose_compared (Finder *x, u32 index, const Liveness *live, u32 *counts) {
  Loop *l = &x->loops.data[index];
  for (u32 n = l->defs; n != NONE; n = x->nodes.data[n].next) counts[x->nodes.data[n].value]++;
  l->first = x->compared.size;
  if (!is_counting (x, l, index, counts)) {
    for (u32 k = live->start[l->head]; k < live->start[l->head + 1]; k++)
      if (counts[live->live[k]]) vec_push (&x->compared, (Operand)live->live[k]);
    l->nargs = x->compared.size - l->first;
    l->detects = l->nargs <= MAX_COMPARED;
    if (!l->detects) l->nargs = 0;
  }
  for (u32 n = l->defs; n != NONE; n = x->nodes.data[n].next) counts[x->nodes.data[n].value] = 0;
}

static void choose_all (Finder *x) {
  Units units;
  Liveness live;
  units_init (&units, x->f); /* no SPIN yet: a unit is a register */
  u32 *counts = mem_zalloc (x->f->regs * sizeof *counts);
  if (liveness_init (&live, x->f, &x->cfg, &units)) {
    collect_defs (x);
    for (u32 l = 0; l < x->loops.size; l++) choose_compared (x, l, &live, counts);
  }
  for (u32 l = x->loops.size; l-- > 0;) {
    Loop *loop = &x->loops.data[l];
    loop->is_in_spin =
        loop->detects || (loop->parent != NONE && x->loops.data[loop->parent].is_in_spin);
  }
  mem_free (counts);
  units_done (&units);
  liveness_done (&live);
}

static bool allot_shadows (Finder *x) {
  u64 regs = x->f->regs;
  for (u32 l = 0; l < x->loops.size; l++) {
    x->loops.data[l].shadow = (u32)regs;
    regs += x->loops.data[l].nargs + 2;
  }
  if (regs > INT32_MAX / 2) return false;
  x->f->regs = (u32)regs;
  return true;
}

/* From here on: writing the new body. */

typedef struct Split {
  u32 target, outside, pos;
} Split;

typedef struct Writer {
  Finder *x;
  Function out;
  Map known; /* target and loop outside -> index of the split */
  VEC (Split) splits;
  Operand zero, never;
} Writer;

static void emit_mov (Writer *w, u32 reg, Operand value, u32 pos) {
  Insn mov = {
      .op = OP_MOV, .width = 64, .dst = (i32)reg, .a = value, .b = OPERAND_NONE, .c = OPERAND_NONE};
  mov.pos = pos;
  vec_push (&w->out.code, mov);
}

/* Resets the shadows of all loops around `block` that lie inside `outside`. The visit counter goes
 * first: see insn_def (). */
static void emit_resets (Writer *w, u32 block, u32 outside, u32 pos) {
  for (u32 l = w->x->loop_of[block]; l != outside; l = w->x->loops.data[l].parent) {
    const Loop *loop = &w->x->loops.data[l];
    emit_mov (w, loop->shadow + loop->nargs + 1, w->zero, pos);
    if (loop->detects) emit_mov (w, loop->shadow + loop->nargs, w->never, pos);
  }
}

static void emit_spin (Writer *w, const Loop *l, u32 pos) {
  Insn spin = {.op = OP_SPIN, .dst = -1, .a = OPERAND_NONE, .c = OPERAND_NONE, .pos = pos};
  spin.flags = l->detects ? INSN_SPIN : 0;
  spin.b = (Operand)l->shadow;
  spin.nargs = (u16)l->nargs;
  spin.first = w->out.args.size;
  for (u32 k = 0; k < l->nargs; k++) vec_push (&w->out.args, w->x->compared.data[l->first + k]);
  vec_push (&w->out.code, spin);
}

static u32 split_edge (Writer *w, u32 target, u32 outside, u32 pos) {
  u64 key = (u64)target << 32 | outside, index;
  if (!map_get (&w->known, key, &index)) {
    index = w->splits.size;
    map_put (&w->known, key, index);
    vec_push (&w->splits, ((Split){target, outside, pos}));
  }
  return w->x->cfg.count + (u32)index;
}

static void emit_terminator (Writer *w, u32 block, const Insn *i, BlockRefs *targets) {
  Finder *x = w->x;
  u32 loop = x->loop_of[block];
  if (i->op == OP_JMP) emit_resets (w, (u32)i->b, common_loop (x, loop, x->loop_of[i->b]), i->pos);
  body_emit (&w->out, x->f, i);
  if (i->op == OP_JMP) return;
  insn_targets (&w->out, &vec_last (&w->out.code), targets);
  for (u32 k = 0; k < targets->size; k++) {
    u32 to = *targets->data[k], outside = common_loop (x, loop, x->loop_of[to]);
    if (outside != x->loop_of[to]) *targets->data[k] = split_edge (w, to, outside, i->pos);
  }
}

static u32 position_of (const Function *f, const Block *b) {
  for (u32 k = b->start; k < b->end; k++)
    if (f->code.data[k].pos) return f->code.data[k].pos;
  return 0;
}

static void write_block (Writer *w, u32 block, BlockRefs *targets) {
  Finder *x = w->x;
  const Block *b = &x->f->blocks.data[block];
  u32 start = w->out.code.size, l = x->loop_of[block];
  if (l != NONE && x->loops.data[l].head == block)
    emit_spin (w, &x->loops.data[l], position_of (x->f, b));
  for (u32 k = b->start; k + 1 < b->end; k++) {
    body_emit (&w->out, x->f, &x->f->code.data[k]);
    Insn *i = &vec_last (&w->out.code);
    bool accesses = i->op == OP_LOAD || i->op == OP_STORE || i->op == OP_RMW || i->op == OP_CAS ||
                    i->op == OP_CALL || (i->op == OP_BUILTIN && i->sub == BUILTIN_TAKE);
    bool begins = i->op == OP_BUILTIN && i->sub == BUILTIN_SCOPE_BEGIN;
    bool ends = i->op == OP_BUILTIN && i->sub == BUILTIN_SCOPE_END;
    if ((accesses || begins || ends) && l != NONE && x->loops.data[l].is_in_spin)
      i->flags |= INSN_IN_SPIN;
    if (begins && l == NONE) i->flags |= INSN_ONCE;
  }
  emit_terminator (w, block, &x->f->code.data[b->end - 1], targets);
  vec_push (&w->out.blocks, ((Block){start, w->out.code.size}));
}

static void write_body (Finder *x) {
  Writer w = {.x = x};
  BlockRefs targets = {0};
  w.zero = operand_const (program_const (x->p, CONST_INT, 0, 0));
  w.never = operand_const (program_const (x->p, CONST_INT, 0, ~0ull));
  for (u32 b = 0; b < x->cfg.count; b++) write_block (&w, b, &targets);
  for (u32 k = 0; k < w.splits.size; k++) {
    Split s = w.splits.data[k];
    Insn jmp = {
        .op = OP_JMP, .dst = -1, .a = OPERAND_NONE, .b = (Operand)s.target, .c = OPERAND_NONE};
    jmp.pos = s.pos;
    u32 start = w.out.code.size;
    emit_resets (&w, s.target, s.outside, s.pos);
    vec_push (&w.out.code, jmp);
    vec_push (&w.out.blocks, ((Block){start, w.out.code.size}));
  }
  body_replace (x->f, &w.out);
  map_free (&w.known);
  vec_free (&w.splits);
  vec_free (&targets);
}

static void finder_init (Finder *x, Program *p, Function *f) {
  *x = (Finder){.p = p, .f = f};
  cfg_init (&x->cfg, f);
  size_t n = x->cfg.count * sizeof (u32);
  x->order = mem_alloc (n);
  x->pre = mem_alloc (n);
  x->last = mem_alloc (n);
  x->rep = mem_alloc (n);
  x->entries = memset (mem_alloc (n), 0xff, n);
  x->loop_of = memset (mem_alloc (n), 0xff, n);
  for (u32 b = 0; b < x->cfg.count; b++) x->rep[b] = b;
}

static void finder_done (Finder *x) {
  cfg_done (&x->cfg);
  mem_free (x->order);
  mem_free (x->pre);
  mem_free (x->last);
  mem_free (x->rep);
  mem_free (x->entries);
  mem_free (x->loop_of);
  vec_free (&x->loops);
  vec_free (&x->nodes);
  vec_free (&x->compared);
}

void ir_mark_loops (Program *p, Function *f, bool find_spin_loops) {
  Finder x;
  finder_init (&x, p, f);
  number_blocks (&x);
  find_loops (&x);
  if (x.loops.size) {
    if (find_spin_loops) choose_all (&x);
    BUG_IF (!allot_shadows (&x));
    write_body (&x);
  }
  finder_done (&x);
}
