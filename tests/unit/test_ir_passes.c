/* test_ir_passes.c - ir_prepare must not change what a program does.
 *
 * Random functions with random control flow (mostly irreducible) run in a small interpreter before
 * and after the passes, alone and with real memory, and must leave the same trace. A thread that
 * SPIN blocks, running alone, would have gone round forever without another store; so must the
 * original.
 */
#include "ir/ir.h"
#include "test.h"

#define REGS 64
#define WORDS 4
#define MAX_TRACE 4000

typedef enum Stop { STOP_END, STOP_SPIN, STOP_STEPS } Stop;

typedef struct Run {
  const Program *p;
  const Function *f;
  u64 regs[REGS], memory[WORDS];
  u64 trace[MAX_TRACE];
  u32 traced, effects;
  bool is_wrong;
  Stop stop;
} Run;

static u64 state;
static u32 pick (u32 n) {
  state = state * 6364136223846793005ull + 1442695040888963407ull;
  return (u32)(state >> 33) % n;
}

static u64 value (const Run *r, Operand o) {
  return operand_is_reg (o) ? r->regs[o] : r->p->consts.data[operand_const_index (o)].value;
}

static void note (Run *r, u64 x) {
  if (r->traced < MAX_TRACE) r->trace[r->traced++] = x;
  r->effects++;
}

/* True if the thread would only go round again. */
static bool run_spin (Run *r, const Insn *i) {
  u64 *shadow = r->regs + i->b, before = shadow[i->nargs + 1]++;
  if (!(i->flags & INSN_SPIN)) return false;
  bool same = shadow[i->nargs] == r->effects;
  if (!before && same) r->is_wrong = true; /* the first visit is never taken for a repetition */
  shadow[i->nargs] = r->effects;
  for (u32 k = 0; k < i->nargs; k++) {
    u64 now = value (r, r->f->args.data[i->first + k]);
    same = same && shadow[k] == now;
    shadow[k] = now;
  }
  return same;
}

/* The next block, or -1. */
static i32 run_block (Run *r, u32 block) {
  const Block *b = &r->f->blocks.data[block];
  for (u32 k = b->start; k < b->end; k++) {
    const Insn *i = &r->f->code.data[k];
    u64 a = i->op == OP_SPIN || i->a == OPERAND_NONE ? 0 : value (r, i->a);
    if (i->op == OP_MOV) r->regs[i->dst] = a;
    if (i->op == OP_ADD) r->regs[i->dst] = (a + value (r, i->b)) & 7;
    if (i->op == OP_XOR) r->regs[i->dst] = a ^ value (r, i->b);
    if (i->op == OP_LOAD) r->regs[i->dst] = r->memory[a % WORDS];
    if (i->op == OP_STORE) {
      r->memory[a % WORDS] = value (r, i->b);
      note (r, a % WORDS * 16 + value (r, i->b));
    }
    if (i->op == OP_SPIN && run_spin (r, i)) {
      r->stop = STOP_SPIN;
      return -1;
    }
    if (i->op == OP_JMP) return i->b;
    if (i->op == OP_BR) return a & 1 ? i->b : i->c;
    if (i->op == OP_SWITCH) {
      for (u32 n = 0; n < i->nargs; n++)
        if (r->f->cases.data[i->first + n].value == a)
          return (i32)r->f->cases.data[i->first + n].block;
      return i->b;
    }
    if (i->op == OP_RET) note (r, 1000 + value (r, r->f->args.data[i->first]));
  }
  r->stop = STOP_END;
  return -1;
}

static void run (Run *r, const Program *p, u32 steps, u64 argument) {
  *r = (Run){.p = p, .f = &p->functions.data[0], .stop = STOP_STEPS};
  r->regs[0] = argument;
  r->regs[1] = 3;
  i32 block = 0;
  for (u32 n = 0; n < steps && block >= 0; n++) block = run_block (r, (u32)block);
}

static void random_operand (Str *s) {
  if (pick (4))
    str_printf (s, "r%u", pick (7));
  else
    str_printf (s, "%u", pick (4));
}

static void random_insn (Str *s, u32 stores) {
  static const char *const ops[] = {"mov.64 ", "mov.64 ", "add.3 ", "xor.64 ", "load.8 rlx "};
  u32 op = pick (5);
  if (pick (10) < stores) {
    str_add (s, "  store.8 rlx ");
    op = 3;
  } else {
    str_printf (s, "  r%u = %s", pick (7), ops[op]);
  }
  random_operand (s);
  if (op == 2 || op == 3) {
    str_add (s, ", ");
    random_operand (s);
  }
  str_add (s, "\n");
}

static void random_end (Str *s, u32 blocks) {
  switch (pick (6)) {
  case 0:
    str_add (s, "  ret ");
    random_operand (s);
    str_add (s, "\n");
    break;
  case 1:
    str_printf (s, "  jmp b%u\n", pick (blocks));
    break;
  case 2:
    str_printf (s, "  switch r%u, b%u { 0: b%u, 1: b%u }\n", pick (7), pick (blocks), pick (blocks),
                pick (blocks));
    break;
  default:
    str_printf (s, "  br r%u, b%u, b%u\n", pick (7), pick (blocks), pick (blocks));
  }
}

static void random_program (Str *s) {
  /* Few long blocks try units inside a block, many short ones those across blocks. */
  u32 blocks = 1 + pick (8), stores = pick (3), length = blocks < 4 ? 24 : 5;
  str_add (s, "porf-ir 1\nfunc 0 \"f\" params 2 regs 7 {\n");
  for (u32 b = 0; b < blocks; b++) {
    str_printf (s, "b%u:\n", b);
    for (u32 n = pick (length); n > 0; n--) random_insn (s, stores);
    random_end (s, blocks);
  }
  str_add (s, "}\n");
}

static bool same_trace (const Run *x, const Run *y, u32 n) {
  return !memcmp (x->trace, y->trace, n * sizeof *x->trace);
}

static bool agree (const Program *original, const Program *prepared, u64 argument, u32 *spins) {
  static Run before, after;
  run (&before, original, 600, argument);
  run (&after, prepared, 1500, argument);
  if (after.is_wrong) return false;
  if (after.stop == STOP_SPIN) {
    (*spins)++;
    return before.stop == STOP_STEPS && before.traced == after.traced &&
           same_trace (&before, &after, after.traced);
  }
  if (before.stop == STOP_END)
    return after.stop == STOP_END && before.traced == after.traced &&
           same_trace (&before, &after, after.traced);
  u32 n = before.traced < after.traced ? before.traced : after.traced;
  return after.stop == STOP_STEPS && same_trace (&before, &after, n);
}

static void test_random (u32 programs) {
  u32 spins = 0;
  for (u32 n = 0; n < programs; n++) {
    Str text = {0};
    IrError error;
    state = n;
    random_program (&text);
    Program *original = ir_parse (text.text, text.length, &error);
    Program *prepared = ir_parse (text.text, text.length, &error);
    BUG_IF (!original || !prepared);
    ir_prepare (prepared, (IrOptions){.find_spin_loops = true});
    bool ok = prepared->functions.data[0].regs <= REGS;
    for (u64 argument = 0; ok && argument < 4; argument++)
      ok = agree (original, prepared, argument, &spins);
    CHECK (ok);
    if (!ok) {
      Str out = {0};
      ir_print (prepared, &out);
      fprintf (stderr, "seed %u\n%s\n%s\n", n, text.text, out.text);
      str_free (&out);
    }
    program_free (original);
    program_free (prepared);
    str_free (&text);
    if (!ok) break;
  }
  CHECK (spins > programs / 10);
}

int main (void) {
  test_random (4000);
  return test_summary ();
}
