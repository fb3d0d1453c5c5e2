/* update.c - atomic updates in place of stores that lose what others have written.
 *
 * A thread reads a location and stores to it, and another one writes in between: that write is
 * lost. What the author meant is one of a few things, as the code around the store shows:
 *  - the value stored is computed from the one read, or a constant: one fetch-and-op or exchange;
 *  - the store puts back what the thread itself has changed by an update: the opposite update;
 *  - the function says that it has succeeded: a compare-exchange that says whether it has. It
 *    expects what the thread has read, as far as the function has been told.
 */
#include "repair/repair_int.h"

/* The only instruction of its kind at a place: a template has others, which would stay. */
static bool find_insn (const Program *p, u32 pos, Op op, Ref *out) {
  u32 count = 0;
  for (u32 k = 0; k < p->functions.size; k++)
    for (u32 n = 0; n < p->functions.data[k].code.size; n++) {
      const Insn *i = &p->functions.data[k].code.data[n];
      if (i->op != op || !sites_same_place (p, i->pos, pos)) continue;
      *out = (Ref){k, n};
      count++;
    }
  return count == 1;
}

static const Block *block_of (const Function *f, u32 insn) {
  const Block *b = f->blocks.data;
  while (insn < b->start || insn >= b->end) b++;
  return b;
}

static bool is_integer (const Program *p, Operand o) {
  return o != OPERAND_NONE && !operand_is_reg (o) &&
         p->consts.data[operand_const_index (o)].kind == CONST_INT;
}

static u64 integer_of (const Program *p, Operand o) {
  return p->consts.data[operand_const_index (o)].value;
}

/* What computes a register, seen from an instruction of the same block; copies and conversions are
 * looked through. */
static const Insn *definition (const Function *f, u32 insn, Operand o) {
  const Block *b = block_of (f, insn);
  for (u32 n = insn; operand_is_reg (o) && n-- > b->start;) {
    const Insn *i = &f->code.data[n];
    if (i->dst != o) continue;
    if (i->op != OP_MOV && i->op != OP_TRUNC && i->op != OP_SEXT) return i;
    o = i->a;
  }
  return NULL;
}

static i64 as_signed (u64 value, u32 bytes) {
  u32 unused = 64 - 8 * bytes;
  return bytes > 8 ? (i64)value : (i64)(value << unused) >> unused;
}

static void set_operation (Change *c, RmwOp op, u64 value, u32 bytes) {
  i64 amount = as_signed (value, bytes);
  if ((op == RMW_ADD || op == RMW_SUB) && amount < 0) {
    op = op == RMW_ADD ? RMW_SUB : RMW_ADD;
    amount = -amount;
  }
  c->rmw = (u8)op;
  c->value = op == RMW_ADD || op == RMW_SUB ? (u64)amount : value;
}

/* ---- kinds of updates */

/* The value stored is a function of the one loaded, and a constant, or a constant. */
static bool combine (const Program *p, Rewrite *r) {
  static const struct {
    u8 op, rmw;
  } operations[] = {
      {OP_ADD, RMW_ADD}, {OP_SUB, RMW_SUB}, {OP_AND, RMW_AND}, {OP_OR, RMW_OR}, {OP_XOR, RMW_XOR}};
  const Function *f = &p->functions.data[r->function];
  const Insn *store = &f->code.data[r->store], *load = &f->code.data[r->load];
  if (load->width != store->width) return false;
  r->change.update = UPDATE_BOTH;
  r->change.from = (u8)order_join (load->order, store->order);
  if (is_integer (p, store->b)) {
    set_operation (&r->change, RMW_XCHG, integer_of (p, store->b), store->width);
    return true;
  }
  const Insn *value = definition (f, r->store, store->b);
  for (u32 k = 0; value && k < ARRAY_SIZE (operations); k++) {
    if (op_wrapping ((Op)value->op) != operations[k].op || value->a != load->dst ||
        !is_integer (p, value->b))
      continue;
    set_operation (&r->change, (RmwOp)operations[k].rmw, integer_of (p, value->b), store->width);
    return true;
  }
  return false;
}

/* The constant, 0 or 1, that the function returns after the store: the instruction that says so,
 * which is the RET or a MOV before a jump to it. */
static bool find_result (const Program *p, Rewrite *r) {
  const Function *f = &p->functions.data[r->function];
  u32 n = r->store + 1;
  const Insn *i = &f->code.data[n];
  Operand value = OPERAND_NONE;
  if (i->op == OP_RET && i->nargs == 1) {
    value = f->args.data[i->first];
  } else if (i->op == OP_MOV && i[1].op == OP_JMP) {
    const Insn *end = &f->code.data[f->blocks.data[i[1].b].start];
    if (end->op == OP_RET && end->nargs == 1 && f->args.data[end->first] == i->dst) value = i->a;
  }
  if (!is_integer (p, value) || integer_of (p, value) > 1) return false;
  r->result = n;
  r->change.is_negated = !integer_of (p, value);
  return true;
}

/* The parameter that what was loaded is passed as where the function is called. */
static bool find_parameter (const Program *p, Ref load, Rewrite *r) {
  const Function *f = &p->functions.data[load.function];
  i32 loaded = f->code.data[load.insn].dst;
  for (u32 n = 0; n < f->code.size; n++) {
    const Insn *i = &f->code.data[n];
    if (i->op != OP_CALL || i->a != OPERAND_NONE || (u32)i->b != r->function) continue;
    for (u32 k = 0; k < i->nargs; k++)
      if (f->args.data[i->first + k] == loaded) {
        r->change.value = k;
        return true;
      }
  }
  return false;
}

static void add_compare_exchange (Search *s, const WitnessEvent *read, Rewrite r, Ref load,
                                  bool has_load) {
  enum { LARGEST = 4096 }; /* what is not larger is no address */
  if (!find_result (s->p, &r)) return;
  if (has_load && load.function == r.function) {
    r.change.update = UPDATE_IF_LOADED;
    vec_push (&s->rewrites, r);
    return;
  }
  r.change.update = UPDATE_IF_GIVEN;
  if (has_load && find_parameter (s->p, load, &r)) {
    vec_push (&s->rewrites, r);
    return;
  }
  r.change.update = UPDATE_IF_VALUE;
  r.change.value = read->read;
  if (read->read < LARGEST) vec_push (&s->rewrites, r);
}

/* `read` is what the thread did last with the location before it stored there. */
static void add_updates (Search *s, const WitnessEvent *read, const WitnessEvent *write) {
  Ref store = {0}, load = {0};
  Change c = {.kind = CHANGE_UPDATE,
              .access = WITNESS_WRITE,
              .from = write->order,
              .pos = write->pos,
              .other = read->pos};
  if (!find_insn (s->p, write->pos, OP_STORE, &store)) return;
  Rewrite r = {.change = c, .function = store.function, .store = store.insn};
  if (read->kind == WITNESS_RMW) {
    r.change.update = UPDATE_UNDO;
    set_operation (&r.change, RMW_SUB, read->written - read->read, write->size);
    vec_push (&s->rewrites, r);
    return;
  }
  bool has_load = find_insn (s->p, read->pos, OP_LOAD, &load);
  Rewrite both = r;
  both.load = load.insn;
  if (has_load && load.function == store.function && combine (s->p, &both))
    vec_push (&s->rewrites, both);
  r.load = load.insn;
  add_compare_exchange (s, read, r, load, has_load);
}

static bool is_known (const Search *s, const WitnessEvent *read, const WitnessEvent *write) {
  for (u32 i = 0; i < s->rewrites.size; i++)
    if (s->rewrites.data[i].change.pos == write->pos &&
        s->rewrites.data[i].change.other == read->pos)
      return true;
  return false;
}

/* The last thing that the thread did with the location of a write, before it. */
static const WitnessEvent *access_before (const Witness *w, i32 write) {
  const WitnessEvent *e = &w->events.data[write];
  for (i32 i = write; i-- > 0;) {
    const WitnessEvent *x = &w->events.data[i];
    if (x->tid == e->tid && x->location == e->location && (event_reads (x) || event_writes (x)))
      return x;
  }
  return NULL;
}

/* Whether others have written between what the thread did before and its write; or the write does
 * not put back what the thread itself has changed, but something else. */
static bool is_losing (const Witness *w, const WitnessEvent *before, const WitnessEvent *write) {
  u32 seen = before->kind == WITNESS_RMW ? before->mo
             : before->rf >= 0           ? w->events.data[before->rf].mo
                                         : 0;
  return write->mo > seen + 1 || (before->kind == WITNESS_RMW && write->written != before->read);
}

/* Stores that lose something; or those that could, to a location where that happens. */
static void collect (Search *s, bool *is_lost, bool is_second) {
  const Witness *w = &s->f->witness;
  for (i32 i = (i32)w->events.size; i-- > 0;) {
    const WitnessEvent *write = &w->events.data[i];
    if (write->kind != WITNESS_WRITE || write->order == ORD_NA || write->is_lock ||
        !position_is_own (s->p, write->pos))
      continue;
    const WitnessEvent *before = access_before (w, i);
    if (!before || !event_reads (before) || before->order == ORD_NA) continue;
    if (is_second ? !is_lost[write->location] : !is_losing (w, before, write)) continue;
    is_lost[write->location] = true;
    if (!is_known (s, before, write)) add_updates (s, before, write);
  }
}

void update_collect (Search *s) {
  const Witness *w = &s->f->witness;
  if (!w->has_mo) return;
  bool *is_lost = mem_zalloc (w->locations.size * sizeof *is_lost);
  collect (s, is_lost, false);
  collect (s, is_lost, true);
  mem_free (is_lost);
}

/* ---- making them */

static Operand constant (Search *s, u64 value) {
  return operand_const (program_const (s->p, CONST_INT, 0, value));
}

static void make_update (Insn *i, RmwOp op, u8 order, Operand value) {
  i->op = OP_RMW;
  i->sub = (u8)op;
  i->order = order;
  i->b = value;
}

static Insn plain (Op op, u8 width, i32 dst, Operand a, Operand b, u32 pos) {
  return (Insn){
      .op = (u8)op, .width = width, .dst = dst, .a = a, .b = b, .c = OPERAND_NONE, .pos = pos};
}

/* What the function returns after the store is a register now. */
static void set_result (Function *f, u32 insn, i32 reg) {
  Insn *i = &f->code.data[insn];
  if (i->op == OP_MOV) {
    i->a = reg;
  } else {
    i->first = f->args.size;
    vec_push (&f->args, reg);
  }
}

static void make_compare_exchange (Search *s, const Rewrite *r, Function *f, u8 order) {
  u32 at = r->store, result = r->result;
  i32 old = body_register (f);
  Operand expected;
  if (r->change.update == UPDATE_IF_VALUE) {
    expected = constant (s, r->change.value);
  } else { /* a copy, since the register may get another value before the store */
    bool is_given = r->change.update == UPDATE_IF_GIVEN;
    u32 from = is_given ? f->blocks.data[0].start : r->load + 1;
    expected = body_register (f);
    body_insert (f, from,
                 plain (OP_MOV, 64, expected,
                        is_given ? (Operand)r->change.value : f->code.data[r->load].dst,
                        OPERAND_NONE, r->change.pos));
    at += from <= at;
    result += from <= result;
  }
  Insn *i = &f->code.data[at];
  i->c = i->b;
  i->b = expected;
  i->op = OP_CAS;
  i->order = order;
  i->order2 = ORD_RLX;
  i->dst = old;
  u8 width = (u8)(8 * i->width);
  body_insert (
      f, at + 1,
      plain (r->change.is_negated ? OP_NE : OP_EQ, width, old, old, expected, r->change.pos));
  set_result (f, result + 1, old);
}

void update_apply (Search *s, const Rewrite *r, u8 order) {
  Function *f = trial_changed_function (s, r->function);
  const Change *c = &r->change;
  if (c->update == UPDATE_BOTH) {
    make_update (&f->code.data[r->load], (RmwOp)c->rmw, order, constant (s, c->value));
    body_remove (f, r->store);
  } else if (c->update == UPDATE_UNDO) {
    make_update (&f->code.data[r->store], (RmwOp)c->rmw, order, constant (s, c->value));
    f->code.data[r->store].dst = body_register (f);
    body_map_live (f);
  } else {
    make_compare_exchange (s, r, f, order);
    body_map_live (f);
  }
}
