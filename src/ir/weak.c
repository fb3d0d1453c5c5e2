/* weak.c - weak compare-exchanges that may fail for no reason, but not twice in a row.
 *
 * What the front end makes of one,
 *
 *     r1 = cas.4 acq rlx a, b, c weak     becomes            br r4, try, choose
 *     r2 = eq.32 r1, b                               choose: r3 = builtin spurious()
 *                                                            br r3, fail, try
 *                                                    fail:   r4 = mov.64 1
 *                                                            r1 = load.4 rlx a    the failing order
 *                                                            r2 = mov.64 0
 *                                                            jmp rest
 *                                                    try:    r4 = mov.64 0
 *                                                            the two as they were
 *                                                            jmp rest
 *
 * r4 is a register of its own, 0 at first, that says whether this one failed for no reason the last
 * time. So loops that try again come to an end. If such a loop does nothing else, a failure for no
 * reason iterates it without any effect and the thread waits there (loops.c): nothing is seen
 * that would not be seen without it. To this end r4 does not count as part of the loop's state.
 */
#include "ir/ir_int.h"

typedef struct Weaken {
  Function *f;
  Function out;
  u32 current, start; /* the block at work, and where it starts */
  Operand zero, one;
} Weaken;

/* Only together with the comparison that says whether it failed. */
static bool can_fail (const Insn *cas, const Insn *next) {
  return cas->op == OP_CAS && (cas->flags & INSN_WEAK) && next->op == OP_EQ &&
         next->a == cas->dst && next->b == cas->b;
}

static Insn *add (Weaken *w, Op op, u32 pos) {
  Insn i = {.op = (u8)op, .dst = -1, .a = OPERAND_NONE, .b = OPERAND_NONE, .c = OPERAND_NONE};
  i.pos = pos;
  vec_push (&w->out.code, i);
  return &vec_last (&w->out.code);
}

static void begin_block (Weaken *w, u32 block) {
  w->current = block;
  w->start = w->out.code.size;
}

static void end_block (Weaken *w) {
  w->out.blocks.data[w->current] = (Block){w->start, w->out.code.size};
}

static void add_branch (Weaken *w, Operand condition, u32 yes, u32 no, u32 pos) {
  Insn *br = add (w, OP_BR, pos);
  br->a = condition;
  br->b = (Operand)yes;
  br->c = (Operand)no;
}

static void add_move (Weaken *w, i32 dst, Operand value, u8 flags, u32 pos) {
  Insn *mov = add (w, OP_MOV, pos);
  mov->width = 64;
  mov->a = value;
  mov->dst = dst;
  mov->flags = flags;
}

static void add_jump (Weaken *w, u32 to, u32 pos) {
  add (w, OP_JMP, pos)->b = (Operand)to;
  end_block (w);
}

/* Ends the block at work; the last of four new ones is at work then. */
static void split (Weaken *w, const Insn *cas, const Insn *eq) {
  u32 choose = w->out.blocks.size, fail = choose + 1, try = choose + 2, rest = choose + 3;
  i32 has_failed = (i32)w->f->regs++, fails = (i32)w->f->regs++;
  for (u32 k = 0; k < 4; k++) vec_push (&w->out.blocks, ((Block){0, 0}));
  add_branch (w, has_failed, try, choose, cas->pos);
  end_block (w);

  begin_block (w, choose);
  Insn *spurious = add (w, OP_BUILTIN, cas->pos);
  spurious->sub = BUILTIN_SPURIOUS;
  spurious->dst = fails;
  add_branch (w, fails, fail, try, cas->pos);
  end_block (w);

  begin_block (w, fail);
  add_move (w, has_failed, w->one, INSN_UNSEEN, cas->pos);
  Insn *load = add (w, OP_LOAD, cas->pos);
  load->width = cas->width;
  load->order = cas->order2;
  load->flags = cas->flags & INSN_VOLATILE;
  load->a = cas->a;
  load->dst = cas->dst;
  add_move (w, eq->dst, w->zero, 0, cas->pos);
  add_jump (w, rest, cas->pos);

  begin_block (w, try);
  add_move (w, has_failed, w->zero, INSN_UNSEEN, cas->pos);
  body_emit (&w->out, w->f, cas);
  body_emit (&w->out, w->f, eq);
  add_jump (w, rest, cas->pos);
  begin_block (w, rest);
}

void ir_weaken (Program *p, Function *f) {
  Weaken w = {.f = f,
              .zero = operand_const (program_const (p, CONST_INT, 0, 0)),
              .one = operand_const (program_const (p, CONST_INT, 0, 1))};
  for (u32 b = 0; b < f->blocks.size; b++) vec_push (&w.out.blocks, ((Block){0, 0}));
  for (u32 b = 0; b < f->blocks.size; b++) {
    begin_block (&w, b);
    for (u32 k = f->blocks.data[b].start; k < f->blocks.data[b].end; k++) {
      const Insn *i = &f->code.data[k];
      if (can_fail (i, i + 1)) /* no CAS ends a block */
        split (&w, i, f->code.data + ++k);
      else
        body_emit (&w.out, f, i);
    }
    end_block (&w);
  }
  body_replace (f, &w.out);
}
