/* swap.c - neighbouring lines that can change places.
 *
 * Both are whole lines of one basic block that access memory, themselves or in a function of the
 * program that they call; nothing is done to threads or locks there, since it would be easy to
 * remove a finding by starting a thread later. Or both lock a mutex.
 */
#include "repair/repair_int.h"

typedef struct Run { /* instructions of one line */
  u32 start, end;
} Run;

static bool is_access (Op op) {
  return op == OP_LOAD || op == OP_STORE || op == OP_RMW || op == OP_CAS;
}

/* Whether all that is called there is pthread_mutex_lock. */
static bool is_locking (const Program *p, const Function *f, Run r) {
  u32 calls = 0;
  for (u32 n = r.start; n < r.end; n++) {
    const Insn *i = &f->code.data[n];
    if (i->op == OP_BUILTIN || i->op == OP_SPIN || is_access ((Op)i->op)) return false;
    if (i->op != OP_CALL) continue;
    if (i->a != OPERAND_NONE || strcmp (p->functions.data[i->b].name, "pthread_mutex_lock"))
      return false;
    calls++;
  }
  return calls == 1;
}

static bool is_fit (const Program *p, const Insn *i, u32 depth);

static bool is_fit_function (const Program *p, u32 function, u32 depth) {
  enum { DEEPEST = 8 };
  const Function *f = &p->functions.data[function];
  if (depth == DEEPEST || !position_is_own (p, f->pos)) return false;
  for (u32 n = 0; n < f->code.size; n++)
    if (!is_fit (p, &f->code.data[n], depth + 1)) return false;
  return true;
}

static bool is_fit (const Program *p, const Insn *i, u32 depth) {
  if (i->op == OP_BUILTIN || i->op == OP_UNSUPPORTED) return false;
  if (i->op != OP_CALL) return true;
  return i->a == OPERAND_NONE && is_fit_function (p, (u32)i->b, depth);
}

static bool same_line (const Program *p, u32 a, u32 b) {
  const Position *x = &p->positions.data[a], *y = &p->positions.data[b];
  return x->file == y->file && x->line == y->line;
}

static Run run_at (const Program *p, const Function *f, u32 n, u32 end) {
  Run r = {n, n};
  while (r.end < end && same_line (p, f->code.data[r.end].pos, f->code.data[n].pos)) r.end++;
  return r;
}

static u32 count_line (const Program *p, u32 pos) {
  u32 count = 0;
  for (u32 k = 0; k < p->functions.size; k++)
    for (u32 n = 0; n < p->functions.data[k].code.size; n++)
      count += same_line (p, p->functions.data[k].code.data[n].pos, pos);
  return count;
}

/* Nothing of the line is elsewhere. */
static bool is_whole_line (const Program *p, const Function *f, Run r) {
  u32 pos = f->code.data[r.start].pos;
  return position_is_own (p, pos) && count_line (p, pos) == r.end - r.start;
}

static bool is_accessing (const Program *p, const Function *f, Run r) {
  bool has_access = false;
  for (u32 n = r.start; n < r.end; n++) {
    const Insn *i = &f->code.data[n];
    if (!is_fit (p, i, 0) || i->op == OP_SPIN) return false;
    has_access |= is_access ((Op)i->op) || i->op == OP_CALL;
  }
  return has_access;
}

static bool can_swap (const Program *p, const Function *f, Run r, Run next) {
  bool is_fit_pair = (is_accessing (p, f, r) && is_accessing (p, f, next)) ||
                     (is_locking (p, f, r) && is_locking (p, f, next));
  return is_fit_pair && is_whole_line (p, f, r) && is_whole_line (p, f, next);
}

static bool is_run (const Witness *w, const Function *f) {
  for (u32 i = 0; i < w->events.size; i++)
    for (u32 n = 0; n < f->code.size; n++)
      if (f->code.data[n].pos == w->events.data[i].pos) return true;
  return false;
}

bool swap_apply (Search *s, const Rewrite *r) {
  return body_swap (trial_changed_function (s, r->function), r->first, r->middle, r->end);
}

static void add_swaps (Search *s, u32 function, u32 block) {
  const Function *f = &s->p->functions.data[function];
  Block b = f->blocks.data[block];
  u32 last = b.end - 1; /* the terminator stays */
  for (Run next, r = run_at (s->p, f, b.start, last); r.end < last; r = next) {
    next = run_at (s->p, f, r.end, last);
    if (!can_swap (s->p, f, r, next)) continue;
    Change c = {.kind = CHANGE_SWAP,
                .pos = f->code.data[r.start].pos,
                .other = f->code.data[next.start].pos};
    Rewrite swap = {
        .change = c, .function = function, .first = r.start, .middle = r.end, .end = next.end};
    if (swap_apply (s, &swap)) vec_push (&s->rewrites, swap);
    trial_put_back (s);
  }
}

void swap_collect (Search *s) {
  for (u32 k = 0; k < s->p->functions.size; k++) {
    const Function *f = &s->p->functions.data[k];
    if (!is_run (&s->f->witness, f)) continue;
    for (u32 b = 0; b < f->blocks.size; b++) add_swaps (s, k, b);
  }
}
