/* x86.c - what the instructions of x86-64 in inline assembly mean.
 *
 * The processor keeps loads in order and stores in order, so that a mov from memory is an acquire
 * load and a mov to memory a release store, and a locked instruction is an RMW between two full
 * fences: weaker than the processor under every model here, and just as strong under tso. That
 * holds for the accesses around the statement only if the compiler may not move them across it, so
 * without the clobber "memory" movs are relaxed and no fences are made.
 */
#include "front/asm.h"

typedef struct Row Row;
struct Row {
  const char *name;
  u32 nargs;
  bool can_lock;
  bool (*run) (Asm *a, const AsmInsn *i, const Row *row);
  u32 op, rmw;
};

/* ----------------------------------------------------------------------------------- arguments */

static const AsmArg *source (const AsmInsn *i) { return &i->args[0]; }
static const AsmArg *target (const AsmInsn *i) { return &i->args[i->nargs - 1]; }

static u64 mask (u32 bits) { return bits == 64 ? UINT64_MAX : (1ull << bits) - 1; }

static Operand cut (Asm *a, u32 bits, Operand value) {
  return bits == 64 ? value : emit_cast (a->l, OP_TRUNC, 64, bits, value);
}

static bool read (Asm *a, const AsmArg *from, u32 bits, Operand *out) {
  if (from->kind == ARG_MEMORY) {
    Order order = a->orders_memory ? ORD_ACQ : ORD_RLX;
    *out = emit_load (a->l, bits / 8, from->value, order, INSN_VOLATILE);
    return true;
  }
  Operand value = from->kind == ARG_CONSTANT ? from->value : a->slots[from->slot];
  if (value == OPERAND_NONE) return false;
  *out = cut (a, bits, value);
  return true;
}

/* 32 bits clear the upper half of a register, fewer leave the rest of it as it is. */
static bool write (Asm *a, const AsmArg *to, u32 bits, Operand value) {
  if (to->kind == ARG_CONSTANT) return false;
  if (to->kind == ARG_MEMORY) {
    Order order = a->orders_memory ? ORD_REL : ORD_RLX;
    emit_store (a->l, bits / 8, to->value, value, order, INSN_VOLATILE);
    return true;
  }
  Operand *slot = &a->slots[to->slot];
  if (bits < 32 && *slot != OPERAND_NONE) {
    Operand rest = emit_bin (a->l, OP_AND, 64, *slot, emit_int (a->l, ~mask (bits)));
    value = emit_bin (a->l, OP_OR, 64, rest, value);
  }
  *slot = value;
  return true;
}

static void set_flags (Asm *a, u32 bits, Operand result, Operand carry) {
  a->result = result;
  a->result_bits = bits;
  a->carry = carry;
}

static void set_flags_of (Asm *a, u32 bits, u32 op, Operand old, Operand by, Operand result) {
  Operand carry = emit_int (a->l, 0);
  if (op == OP_ADD) carry = emit_bin (a->l, OP_ADDO_U, bits, old, by);
  if (op == OP_SUB) carry = emit_bin (a->l, OP_ULT, bits, old, by);
  set_flags (a, bits, result, carry);
}

static void full_order (Asm *a) {
  if (a->orders_memory) emit (a->l, OP_FENCE)->order = ORD_SC;
}

/* -------------------------------------------------------------------------------- instructions */

/* Applies the operation to the target, in one step if it is locked; gives the old and new value. */
static bool update (Asm *a, const AsmInsn *i, const Row *row, Operand by, Operand *old,
                    Operand *new) {
  if (i->is_locked) {
    full_order (a);
    Insn *rmw = emit (a->l, OP_RMW);
    rmw->width = (u8)(i->bits / 8);
    rmw->sub = (u8)row->rmw;
    rmw->order = ORD_SC;
    rmw->a = target (i)->value;
    rmw->b = by;
    *old = rmw->dst = emit_reg (a->l);
    full_order (a);
  } else if (!read (a, target (i), i->bits, old)) {
    return false;
  }
  *new = row->rmw == RMW_XCHG ? by : emit_bin (a->l, (Op)row->op, i->bits, *old, by);
  return i->is_locked || write (a, target (i), i->bits, *new);
}

static bool move (Asm *a, const AsmInsn *i, const Row *row) {
  Operand value;
  (void)row;
  if (source (i)->kind == ARG_MEMORY && target (i)->kind == ARG_MEMORY) return false;
  return read (a, source (i), i->bits, &value) && write (a, target (i), i->bits, value);
}

/* xchg with memory is always locked, and the memory may stand on either side. */
static bool exchange (Asm *a, const AsmInsn *i, const Row *row) {
  AsmInsn x = *i;
  if (source (&x)->kind == ARG_MEMORY) {
    x.args[0] = i->args[1];
    x.args[1] = i->args[0];
  }
  x.is_locked = target (&x)->kind == ARG_MEMORY;
  Operand by, old, new;
  return source (&x)->kind == ARG_SLOT && read (a, source (&x), x.bits, &by) &&
         update (a, &x, row, by, &old, &new) && write (a, source (&x), x.bits, old);
}

static bool exchange_add (Asm *a, const AsmInsn *i, const Row *row) {
  Operand by, old, new;
  if (source (i)->kind != ARG_SLOT || !read (a, source (i), i->bits, &by) ||
      !update (a, i, row, by, &old, &new))
    return false;
  set_flags_of (a, i->bits, row->op, old, by, new);
  return write (a, source (i), i->bits, old);
}

/* Of the memory that is the target; what was found there. */
static Operand emit_cas (Asm *a, const AsmInsn *i, u32 bytes, Operand expected, Operand by) {
  full_order (a);
  Insn *cas = emit (a->l, OP_CAS);
  cas->width = (u8)bytes;
  cas->order = cas->order2 = ORD_SC;
  cas->a = target (i)->value;
  cas->b = expected;
  cas->c = by;
  Operand old = cas->dst = emit_reg (a->l);
  full_order (a);
  return old;
}

static bool compare_exchange (Asm *a, const AsmInsn *i, const Row *row) {
  const AsmArg ax = {.kind = ARG_SLOT, .slot = 0};
  Operand by, expected;
  (void)row;
  if (!i->is_locked || !read (a, source (i), i->bits, &by) || !read (a, &ax, i->bits, &expected))
    return false;
  Operand old = emit_cas (a, i, i->bits / 8, expected, by);
  Operand difference = emit_bin (a->l, OP_SUB, i->bits, expected, old);
  set_flags_of (a, i->bits, OP_SUB, expected, old, difference);
  return write (a, &ax, i->bits, old);
}

/* dx:ax is expected and becomes what was found, cx:bx is stored. Only the zero flag changes. */
static bool compare_exchange_pair (Asm *a, const AsmInsn *i, const Row *row) {
  enum { AX, BX, CX, DX };
  Operand *s = a->slots;
  (void)row;
  if (!i->is_locked) return false;
  for (u32 k = AX; k <= DX; k++)
    if (s[k] == OPERAND_NONE) return false;
  Operand expected = emit_bin (a->l, OP_PAIR, 64, s[AX], s[DX]);
  Operand by = emit_bin (a->l, OP_PAIR, 64, s[BX], s[CX]);
  Operand old = emit_cas (a, i, 16, expected, by);
  set_flags (a, 64, emit_bin (a->l, OP_XOR, 64, expected, old), OPERAND_NONE);
  s[AX] = emit_un (a->l, OP_LOW, 64, old);
  s[DX] = emit_un (a->l, OP_HIGH, 64, old);
  return true;
}

static bool binary (Asm *a, const AsmInsn *i, const Row *row) {
  Operand by, old, new;
  if (!read (a, source (i), i->bits, &by) || !update (a, i, row, by, &old, &new)) return false;
  set_flags_of (a, i->bits, row->op, old, by, new);
  return true;
}

static bool compare (Asm *a, const AsmInsn *i, const Row *row) {
  Operand by, old;
  if (!read (a, source (i), i->bits, &by) || !read (a, target (i), i->bits, &old)) return false;
  set_flags_of (a, i->bits, row->op, old, by, emit_bin (a->l, (Op)row->op, i->bits, old, by));
  return true;
}

/* inc and dec leave the carry as it is. */
static bool step (Asm *a, const AsmInsn *i, const Row *row) {
  Operand old, new;
  if (!update (a, i, row, emit_int (a->l, 1), &old, &new)) return false;
  set_flags (a, i->bits, new, a->carry);
  return true;
}

static bool invert (Asm *a, const AsmInsn *i, const Row *row) {
  Operand old, new;
  return update (a, i, row, emit_int (a->l, mask (i->bits)), &old, &new);
}

/* A bit number in a register may point at any word before or after the one that is named. */
static AsmInsn word_of_bit (Asm *a, const AsmInsn *i, Operand number) {
  AsmInsn x = *i;
  u32 shift = i->bits == 64 ? 6 : i->bits == 32 ? 5 : 4;
  if (target (i)->kind != ARG_MEMORY || source (i)->kind == ARG_CONSTANT) return x;
  if (i->bits < 64) number = emit_cast (a->l, OP_SEXT, i->bits, 64, number);
  Operand word = emit_bin (a->l, OP_ASHR, 64, number, emit_int (a->l, shift));
  word = emit_bin (a->l, OP_MUL, 64, word, emit_int (a->l, i->bits / 8));
  x.args[1].value = emit_bin (a->l, OP_ADD, 64, target (i)->value, word);
  return x;
}

static bool bit (Asm *a, const AsmInsn *i, const Row *row) {
  Operand number, old, new;
  if (i->bits == 8 || !read (a, source (i), i->bits, &number)) return false;
  AsmInsn x = word_of_bit (a, i, number);
  Operand place = emit_bin (a->l, OP_AND, i->bits, number, emit_int (a->l, i->bits - 1));
  Operand by = emit_bin (a->l, OP_SHL, i->bits, emit_int (a->l, 1), place);
  if (row->rmw == RMW_AND)
    by = emit_bin (a->l, OP_XOR, i->bits, by, emit_int (a->l, mask (i->bits)));
  if (!update (a, &x, row, by, &old, &new)) return false;
  Operand carry = emit_bin (a->l, OP_LSHR, i->bits, old, place);
  set_flags (a, i->bits, OPERAND_NONE, emit_bin (a->l, OP_AND, i->bits, carry, emit_int (a->l, 1)));
  return true;
}

static bool fence (Asm *a, const AsmInsn *i, const Row *row) {
  (void)i;
  emit (a->l, OP_FENCE)->order = (u8)row->op;
  return true;
}

static bool nothing (Asm *a, const AsmInsn *i, const Row *row) {
  (void)a, (void)i, (void)row;
  return true;
}

static bool trap (Asm *a, const AsmInsn *i, const Row *row) {
  (void)i, (void)row;
  emit_builtin (a->l, BUILTIN_ABORT, NULL, 0, false);
  return true;
}

static const Row rows[] = {
#define X86(name, nargs, can_lock, run, op, rmw) {name, nargs, can_lock, run, op, rmw},
#define X86_CONDITION(name, flag, is_negated)
#include "front/x86.def"
#undef X86
#undef X86_CONDITION
};

/* ---------------------------------------------------------------------------------- conditions */

typedef enum Flag { FLAG_ZERO, FLAG_CARRY, FLAG_SIGN } Flag;

static const struct {
  const char *name;
  Flag flag;
  bool is_negated;
} conditions[] = {
#define X86(name, nargs, can_lock, run, op, rmw)
#define X86_CONDITION(name, flag, is_negated) {name, FLAG_##flag, is_negated},
#include "front/x86.def"
#undef X86
#undef X86_CONDITION
};

static Operand read_flag (Asm *a, Flag flag) {
  if (flag == FLAG_CARRY) return a->carry;
  if (a->result == OPERAND_NONE) return OPERAND_NONE;
  return emit_bin (a->l, flag == FLAG_ZERO ? OP_EQ : OP_SLT, a->result_bits, a->result,
                   emit_int (a->l, 0));
}

Operand x86_condition (Asm *a, const char *name) {
  for (u32 k = 0; k < ARRAY_SIZE (conditions); k++) {
    if (strcmp (conditions[k].name, name)) continue;
    Operand value = read_flag (a, conditions[k].flag);
    if (value == OPERAND_NONE || !conditions[k].is_negated) return value;
    return emit_bin (a->l, OP_XOR, 8, value, emit_int (a->l, 1));
  }
  return OPERAND_NONE;
}

/* setz and the others write one byte; memory is then a variable of the statement's own function. */
static bool lower_set (Asm *a, const AsmInsn *i) {
  Operand value = i->nargs == 1 && !i->is_locked ? x86_condition (a, i->name + 3) : OPERAND_NONE;
  if (value == OPERAND_NONE) return false;
  if (target (i)->kind != ARG_MEMORY) return write (a, target (i), 8, value);
  emit_store (a->l, 1, target (i)->value, value, ORD_NA, 0);
  return true;
}

/* ----------------------------------------------------------------------------------- the names */

static const Row *find_row (const char *name, size_t length) {
  for (u32 k = 0; k < ARRAY_SIZE (rows); k++)
    if (strlen (rows[k].name) == length && !memcmp (rows[k].name, name, length)) return &rows[k];
  return NULL;
}

/* The size is the last letter of the name, or else that of a register. */
static const Row *find_instruction (AsmInsn *i) {
  static const char letters[] = "bwlq";
  size_t length = strlen (i->name);
  const Row *row = find_row (i->name, length);
  const char *letter = strchr (letters, i->name[length - 1]);
  if (!row && letter) {
    row = find_row (i->name, length - 1);
    i->bits = 8u << (letter - letters);
  }
  for (u32 k = i->nargs; k-- > 0 && !i->bits;)
    if (i->args[k].kind == ARG_SLOT) i->bits = i->args[k].bits;
  return row;
}

bool x86_lower (Asm *a, AsmInsn *i) {
  if (!strncmp (i->name, "set", 3)) return lower_set (a, i);
  const Row *row = find_instruction (i);
  if (!row || row->nargs != i->nargs) return false;
  bool has_size = i->bits || row->run == nothing || row->run == compare_exchange_pair;
  if (i->nargs && !has_size) return false;
  if (i->is_locked && (!row->can_lock || target (i)->kind != ARG_MEMORY)) return false;
  return row->run (a, i, row);
}
