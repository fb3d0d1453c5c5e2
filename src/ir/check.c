/* check.c - walks the invariants I1..I7 of ir.h. Run on everything that is read, linked or
 * prepared. */
#include "ir/ir_int.h"

typedef struct Checker {
  const Program *p;
  const Function *f;
  Str *why;
  Site site;
} Checker;

static bool wrong (Checker *c, const char *format, ...) PRINTF (2, 3);
static bool wrong (Checker *c, const char *format, ...) {
  char text[160];
  va_list ap;
  va_start (ap, format);
  vsnprintf (text, sizeof text, format, ap);
  va_end (ap);
  if (c->f) str_printf (c->why, "function %.40s: ", c->f->name);
  str_add (c->why, text);
  return false;
}

static bool check_position (Checker *c, u32 pos) {
  return pos < c->p->positions.size || wrong (c, "position %u does not exist (I3)", pos);
}

static bool check_const (Checker *c, const Const *k) {
  const Program *p = c->p;
  switch ((ConstKind)k->kind) {
  case CONST_INT:
    return true;
  case CONST_GLOBAL:
    if (k->index >= p->globals.size) return wrong (c, "global g%u does not exist (I3)", k->index);
    if (p->globals.data[k->index].is_tls)
      return wrong (c, "g%u is thread-local: its address is only known to `tls` (I3)", k->index);
    return true;
  case CONST_FUNC:
    if (k->index >= p->functions.size)
      return wrong (c, "function f%u does not exist (I3)", k->index);
    return true;
  }
  return wrong (c, "constant of unknown kind %u (I3)", k->kind);
}

static bool check_operand (Checker *c, Operand o) {
  if (operand_is_reg (o)) return (u32)o < c->f->regs || wrong (c, "r%d is out of range (I2)", o);
  if (o == OPERAND_NONE || operand_const_index (o) >= c->p->consts.size)
    return wrong (c, "operand is missing or out of range (I2)");
  return check_const (c, &c->p->consts.data[operand_const_index (o)]);
}

static bool check_args (Checker *c, const Insn *i) {
  if (i->nargs && (u64)i->first + i->nargs > c->f->args.size)
    return wrong (c, "argument list is out of range (I3)");
  for (u32 k = 0; k < i->nargs; k++)
    if (!check_operand (c, c->f->args.data[i->first + k])) return false;
  return true;
}

static bool check_block (Checker *c, Operand block) {
  return (block >= 0 && (u32)block < c->f->blocks.size) ||
         wrong (c, "block b%d does not exist (I3)", block);
}

static bool is_float_width (u32 bits) { return bits == 32 || bits == 64; }

static bool float_source (Op op) {
  return (op >= OP_FADD && op <= OP_FCMP) || op == OP_FPTOSI || op == OP_FPTOUI || op == OP_FPCONV;
}
static bool float_result (Op op) { return op == OP_SITOFP || op == OP_UITOFP || op == OP_FPCONV; }

static bool check_plain (Checker *c, const Insn *i) {
  Op op = (Op)i->op;
  OpForm form = op_form (op);
  if (form == FORM_SELECT)
    return check_operand (c, i->a) && check_operand (c, i->b) && check_operand (c, i->c);
  if (i->width < 1 || i->width > 64) return wrong (c, "width %u is not in 1..64 (I4)", i->width);
  if (form == FORM_CAST && (i->sub < 1 || i->sub > 64))
    return wrong (c, "width %u is not in 1..64 (I4)", i->sub);
  if (form == FORM_FCMP && i->sub > 15)
    return wrong (c, "float comparison %u is not in 0..15 (I4)", i->sub);
  if (float_source (op) && !is_float_width (i->width))
    return wrong (c, "floats have 32 or 64 bits, not %u (I4)", i->width);
  if (float_result (op) && !is_float_width (i->sub))
    return wrong (c, "floats have 32 or 64 bits, not %u (I4)", i->sub);
  if (op == OP_BSWAP && i->width % 8) return wrong (c, "bswap needs whole bytes (I4)");
  if ((form == FORM_BIN || form == FORM_FCMP) && !check_operand (c, i->b)) return false;
  return check_operand (c, i->a);
}

/* The orders C11 allows, as a set of bits. */
static bool check_order (Checker *c, const char *what, u8 order, u32 allowed) {
  if (order < ORDER_COUNT && (allowed >> order & 1)) return true;
  return wrong (c, "order %s makes no sense for a %s (I4)",
                order < ORDER_COUNT ? order_name ((Order)order) : "?", what);
}

#define BIT(order) (1u << ORD_##order)
enum {
  LOAD_ORDERS = BIT (NA) | BIT (RLX) | BIT (ACQ) | BIT (SC),
  STORE_ORDERS = BIT (NA) | BIT (RLX) | BIT (REL) | BIT (SC),
  FAIL_ORDERS = BIT (RLX) | BIT (ACQ) | BIT (SC),
  FENCE_ORDERS = BIT (ACQ) | BIT (REL) | BIT (ACQ_REL) | BIT (SC),
  RMW_ORDERS = FENCE_ORDERS | BIT (RLX),
};
#undef BIT

static bool check_access (Checker *c, const Insn *i) {
  u32 n = i->width;
  if (n != 1 && n != 2 && n != 4 && n != 8 && n != 16)
    return wrong (c, "an access has 1, 2, 4, 8 or 16 bytes, not %u (I4)", n);
  if (n == 16 && i->order == ORD_NA) return wrong (c, "16 bytes are an atomic access (I4)");
  if (n == 16 && i->op == OP_RMW && i->sub != RMW_XCHG)
    return wrong (c, "16 bytes can only be exchanged (I4)");
  if (i->op == OP_LOAD)
    return check_order (c, "load", i->order, LOAD_ORDERS) && check_operand (c, i->a);
  if (!check_operand (c, i->a) || !check_operand (c, i->b)) return false;
  if (i->op == OP_STORE) return check_order (c, "store", i->order, STORE_ORDERS);
  if (!check_order (c, "read-modify-write", i->order, RMW_ORDERS)) return false;
  if (i->op == OP_RMW) return i->sub < RMW_COUNT || wrong (c, "unknown operation %u (I4)", i->sub);
  return check_order (c, "failing cas", i->order2, FAIL_ORDERS) && check_operand (c, i->c);
}

static bool check_switch (Checker *c, const Insn *i) {
  if (i->nargs && (u64)i->first + i->nargs > c->f->cases.size)
    return wrong (c, "case list is out of range (I3)");
  for (u32 k = 0; k < i->nargs; k++)
    if (!check_block (c, (Operand)c->f->cases.data[i->first + k].block)) return false;
  return check_operand (c, i->a) && check_block (c, i->b);
}

static bool check_call (Checker *c, const Insn *i) {
  if (!check_args (c, i)) return false;
  if (i->a != OPERAND_NONE) {
    if (!operand_is_reg (i->a)) return wrong (c, "a call goes to a function or a register (I2)");
    return check_operand (c, i->a);
  }
  if (i->b < 0 || (u32)i->b >= c->p->functions.size)
    return wrong (c, "function f%d does not exist (I3)", i->b);
  const Function *to = &c->p->functions.data[i->b];
  if (i->nargs == to->params || (to->is_variadic && i->nargs > to->params)) return true;
  return wrong (c, "call of %.40s passes %u arguments instead of %u (I5)", to->name, i->nargs,
                to->params);
}

static bool check_builtin (Checker *c, const Insn *i) {
  if (i->sub >= BUILTIN_COUNT) return wrong (c, "unknown builtin %u (I5)", i->sub);
  Builtin b = (Builtin)i->sub;
  int params = builtin_params (b);
  if (params < 0 ? !i->nargs : i->nargs != params)
    return wrong (c, "builtin %s does not take %u arguments (I5)", builtin_name (b), i->nargs);
  if (i->dst >= 0 && !builtin_has_result (b))
    return wrong (c, "builtin %s has no result (I6)", builtin_name (b));
  return check_args (c, i);
}

static bool check_tls (Checker *c, const Insn *i) {
  if (i->b < 0 || (u32)i->b >= c->p->globals.size)
    return wrong (c, "global g%d does not exist (I3)", i->b);
  return c->p->globals.data[i->b].is_tls || wrong (c, "g%d is not thread-local (I3)", i->b);
}

static bool check_retval (Checker *c, const Insn *i, const Insn *before) {
  if (i->b < 1 || i->b > (i32)MAX_ARGS) return wrong (c, "retval counts from 1 (I5)");
  if (before && (before->op == OP_CALL || before->op == OP_RETVAL)) return true;
  return wrong (c, "retval does not follow a call (I5)");
}

static bool check_caught (Checker *c, const Insn *before) {
  if (before && (before->op == OP_CALL || before->op == OP_RETVAL)) return true;
  return wrong (c, "caught does not follow a call (I5)");
}

static bool check_spin (Checker *c, const Insn *i) {
  if (!check_args (c, i)) return false;
  for (u32 k = 0; k < i->nargs; k++)
    if (!operand_is_reg (c->f->args.data[i->first + k]))
      return wrong (c, "spin compares registers only (I7)");
  if (i->b == OPERAND_NONE && !c->p->is_prepared) return true;
  if (i->b >= 0 && (u64)i->b + i->nargs + 2 <= c->f->regs) return true;
  return wrong (c, "shadow registers of spin are out of range (I7)");
}

static bool check_string (Checker *c, i32 index) {
  return (index >= 0 && (u32)index < c->p->strings.size) ||
         wrong (c, "string %d does not exist (I3)", index);
}

static bool check_name (Checker *c, const Insn *i) {
  if (i->b != OPERAND_NONE && !check_string (c, i->b)) return false;
  return i->c == OPERAND_NONE || (i->c >= 0 && (u32)i->c < c->p->types.size) ||
         wrong (c, "type %d does not exist (I3)", i->c);
}

static bool check_operation (Checker *c, const Insn *i, const Insn *before) {
  switch ((Op)i->op) {
#include "ir/plain_ops.h"
    return check_plain (c, i);
  case OP_ALLOCA:
    if (1ull << (i->sub & 63) > MAX_ALIGN) return wrong (c, "alignment is out of range (I4)");
    return check_operand (c, i->a) && check_name (c, i);
  case OP_TLS:
    return check_tls (c, i);
  case OP_LOAD:
  case OP_STORE:
  case OP_RMW:
  case OP_CAS:
    return check_access (c, i);
  case OP_FENCE:
    return check_order (c, "fence", i->order, FENCE_ORDERS);
  case OP_JMP:
    return check_block (c, i->b);
  case OP_BR:
    return check_operand (c, i->a) && check_block (c, i->b) && check_block (c, i->c);
  case OP_SWITCH:
    return check_switch (c, i);
  case OP_CALL:
    return check_call (c, i);
  case OP_RETVAL:
    return check_retval (c, i, before);
  case OP_RET:
    return check_args (c, i);
  case OP_BUILTIN:
    return check_builtin (c, i) && (i->sub != BUILTIN_CAUGHT || check_caught (c, before));
  case OP_SPIN:
    return check_spin (c, i);
  case OP_UNREACHABLE:
    return true;
  case OP_UNSUPPORTED:
    return check_string (c, i->b);
  }
  return false;
}

static bool check_result (Checker *c, const Insn *i) {
  bool optional = i->op == OP_CALL || i->op == OP_BUILTIN;
  if (i->dst >= 0) {
    if (!op_has_result ((Op)i->op)) return wrong (c, "%s has no result (I6)", op_name ((Op)i->op));
    return (u32)i->dst < c->f->regs || wrong (c, "r%d is out of range (I2)", i->dst);
  }
  if (optional || !op_has_result ((Op)i->op)) return true;
  return wrong (c, "%s needs a register for its result (I6)", op_name ((Op)i->op));
}

static bool ends_block (const Insn *i) {
  return op_is_terminator ((Op)i->op) ||
         (i->op == OP_BUILTIN && !builtin_returns ((Builtin)i->sub));
}

static bool check_block_code (Checker *c, u32 index) {
  const Block *b = &c->f->blocks.data[index];
  if (b->start >= b->end || b->end > c->f->code.size)
    return wrong (c, "block b%u is empty (I1)", index);
  for (u32 k = b->start; k < b->end; k++) {
    const Insn *i = &c->f->code.data[k];
    c->site.insn = k;
    if (i->op >= OP_COUNT) return wrong (c, "unknown instruction %u", i->op);
    if (op_is_terminator ((Op)i->op) && k + 1 < b->end)
      return wrong (c, "%s is not last in block b%u (I1)", op_name ((Op)i->op), index);
    if (!check_operation (c, i, k > b->start ? i - 1 : NULL) || !check_result (c, i) ||
        !check_position (c, i->pos))
      return false;
    if (k + 1 == b->end && !ends_block (i))
      return wrong (c, "block b%u does not end in a terminator (I1)", index);
  }
  c->site.insn = ~0u;
  return true;
}

static bool check_function (Checker *c, u32 index) {
  c->site = (Site){SITE_FUNCTION, index, ~0u};
  const Function *f = c->f = &c->p->functions.data[index];
  if (f->regs < f->params)
    return wrong (c, "%u registers cannot hold %u parameters (I2)", f->regs, f->params);
  if (!check_position (c, f->pos)) return false;
  if (!f->blocks.size && c->p->is_prepared) return wrong (c, "has no body (I1)");
  for (u32 b = 0; b < f->blocks.size; b++)
    if (!check_block_code (c, b)) return false;
  return true;
}

static bool check_global (Checker *c, u32 index) {
  const Program *p = c->p;
  const Global *g = &p->globals.data[index];
  c->f = NULL;
  c->site = (Site){SITE_GLOBAL, index, ~0u};
  if (g->type >= p->types.size)
    return wrong (c, "global %.40s: type %u does not exist (I3)", g->name, g->type);
  if (!g->align || (g->align & (g->align - 1)))
    return wrong (c, "global %.40s: alignment %u is no power of two", g->name, g->align);
  for (u32 i = 0; i < g->relocs.size; i++) {
    const Reloc *r = &g->relocs.data[i];
    if ((u64)r->offset + 8 > g->size)
      return wrong (c, "global %.40s: reloc at %u is out of range (I3)", g->name, r->offset);
    if (r->target.kind == CONST_INT)
      return wrong (c, "global %.40s: reloc at %u is no address (I3)", g->name, r->offset);
    if (!check_const (c, &r->target)) return false;
  }
  return check_position (c, g->pos);
}

static bool check_type (Checker *c, u32 index) {
  const Program *p = c->p;
  const Type *t = &p->types.data[index];
  c->f = NULL;
  c->site = (Site){SITE_TYPE, index, ~0u};
  if (t->kind > TYPE_STRUCT) return wrong (c, "type %u is of unknown kind", index);
  if (t->element >= p->types.size) return wrong (c, "type %u does not exist (I3)", t->element);
  for (u32 i = 0; i < t->fields.size; i++)
    if (t->fields.data[i].type >= p->types.size)
      return wrong (c, "type %u does not exist (I3)", t->fields.data[i].type);
  return true;
}

static bool check_positions (Checker *c) {
  const Program *p = c->p;
  c->f = NULL;
  c->site = (Site){0};
  for (u32 i = 1; i < p->positions.size; i++) {
    const Position *at = &p->positions.data[i];
    if (at->file >= p->files.size) return wrong (c, "file %u does not exist (I3)", at->file);
    /* Positions of globals belong to no function and say 0. */
    if (at->func && at->func >= p->functions.size)
      return wrong (c, "position %u is in no function (I3)", i);
  }
  return true;
}

static bool check_all (Checker *c) {
  const Program *p = c->p;
  if (!p->types.size || !p->positions.size || !p->files.size)
    return wrong (c, "types[0], positions[0] or files[0] is missing");
  for (u32 i = 1; i < p->types.size; i++)
    if (!check_type (c, i)) return false;
  for (u32 i = 0; i < p->globals.size; i++)
    if (!check_global (c, i)) return false;
  for (u32 i = 0; i < p->functions.size; i++)
    if (!check_function (c, i)) return false;
  return check_positions (c);
}

bool ir_check_at (const Program *p, Str *why, Site *site) {
  Checker c = {.p = p, .why = why};
  bool ok = check_all (&c);
  *site = c.site;
  return ok;
}

bool ir_check (const Program *p, Str *why) {
  Site site;
  return ir_check_at (p, why, &site);
}
