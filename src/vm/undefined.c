/* undefined.c - values that were never initialised, bit by bit.
 *
 * Reading what was never written is not an error in itself: structs are copied with their padding,
 * and a bit-field is written together with its neighbours. An error is what depends on such a
 * value: a branch, an address, a division, an atomic operation, what the program prints or exits
 * with. So bits may be undefined, in registers (Run.undefined, a mask a register), in private
 * memory (Run.undefined_memory, the masks of bytes) and in what shared memory is written with
 * (Effect.undefined). They pass through copies and arithmetic by the rules below.
 *
 * Masks cost nothing where there are none: only while some register has undefined bits (Run.tainted
 * counts them) does the dispatch loop lead every instruction through undefined_step first.
 *
 * Invariants:
 *  U1  between runs all masks are zero: a snapshot takes them with it
 *  U2  `tainted` is the number of masks that are not zero, all of them below `tainted_end` */
#include "vm/arith.h"
#include "vm/vm_int.h"

static u32 frame_base (const Run *r) { return r->frames[r->depth - 1].regs; }

static void set_mask (Run *r, u32 reg, u64 mask) {
  u64 *old = &r->undefined[reg];
  r->tainted += (mask != 0 ? 1u : 0u) - (*old != 0 ? 1u : 0u);
  *old = mask;
  if (mask && reg >= r->tainted_end) r->tainted_end = reg + 1;
}

void undefined_result (Vm *vm, const Insn *i, u64 mask) {
  if (i->dst >= 0) set_mask (&vm->run, frame_base (&vm->run) + (u32)i->dst, mask);
}

u64 undefined_operand (const Vm *vm, Operand o) {
  const Run *r = &vm->run;
  return r->tainted && operand_is_reg (o) ? r->undefined[frame_base (r) + (u32)o] : 0;
}

void undefined_clear (Run *r) {
  if (r->tainted) memset (r->undefined, 0, r->tainted_end * sizeof *r->undefined);
  r->tainted = r->tainted_end = 0;
}

void undefined_load (Run *r, const u64 *masks, u32 count) {
  for (u32 k = 0; k < count; k++)
    if (masks[k]) set_mask (r, k, masks[k]);
}

Undefined undefined_value (const Vm *vm, Operand o) {
  Undefined u = vm->run.origin;
  u.bits = undefined_operand (vm, o);
  return u;
}

/* The error is where such bits were first read: whoever copied or used them since relied on it. */
bool undefined_stop (Vm *vm) {
  const Program *p = vm->program;
  Undefined from = vm->run.origin;
  u32 pos = run_position (vm);
  char behind[80] = "` can be read before it is written";
  if (from.pos && pos && p->positions.data[from.pos].line != p->positions.data[pos].line) {
    size_t n = strlen (behind);
    snprintf (behind + n, sizeof behind - n, ", and line %u depends on it",
              p->positions.data[pos].line);
  }
  stop_error (vm, FINDING_UNINITIALISED,
              from.addr ? vm_text_at (vm, "`", from.addr, behind)
                        : "a local variable can be used before it is set");
  vm->run.effect.addr = from.addr;
  vm->run.effect.pos = from.pos;
  return false;
}

/* ---- calls and loops ------------------------------------------------------------------------- */

/* The callee's frame is on top, the arguments are the caller's operands. */
void undefined_call (Vm *vm, const Insn *i) {
  Run *r = &vm->run;
  const Frame *caller = &r->frames[r->depth - 2], *callee = caller + 1;
  for (u32 k = 0; k < i->nargs && k < callee->fn->params; k++) {
    Operand o = caller->fn->args.data[i->first + k];
    if (operand_is_reg (o)) set_mask (r, callee->regs + k, r->undefined[caller->regs + (u32)o]);
  }
}

/* Before the top frame goes: what its results, and then the call's, have of undefined bits. */
void undefined_return (Vm *vm, const Insn *i) {
  Run *r = &vm->run;
  const Frame *f = &r->frames[r->depth - 1], *caller = f - 1;
  const Operand *args = f->fn->args.data + i->first;
  u64 mask = i->nargs ? undefined_operand (vm, args[0]) : 0;
  for (u32 k = 0; k < r->result_count; k++)
    r->result_undefined[k] = undefined_operand (vm, args[k + 1]);
  for (u32 k = 0; k < f->fn->regs; k++) set_mask (r, f->regs + k, 0);
  i32 dst = caller->fn->code.data[caller->pc].dst;
  if (dst >= 0) set_mask (r, caller->regs + (u32)dst, mask);
}

void undefined_forget_frames (Vm *vm, u32 depth) {
  Run *r = &vm->run;
  for (; depth < r->depth; depth++)
    for (u32 k = 0; k < r->frames[depth].fn->regs; k++) set_mask (r, r->frames[depth].regs + k, 0);
}

/* The head of a loop: shadows get the masks of what they copy; whether these are unchanged. */
bool undefined_spin (Vm *vm, const Insn *i) {
  Run *r = &vm->run;
  const Frame *f = &r->frames[r->depth - 1];
  bool same = true;
  for (u32 k = 0; k < i->nargs; k++) {
    u64 mask = undefined_operand (vm, f->fn->args.data[i->first + k]);
    u32 shadow = f->regs + (u32)i->b + k;
    same &= r->undefined[shadow] == mask;
    set_mask (r, shadow, mask);
  }
  return same;
}

/* ---- arithmetic ------------------------------------------------------------------------------ */

static u64 all_bits (u32 width) { return low_bits (~0ull, width); }

/* From the lowest undefined bit on, as a carry may come from there. */
static u64 and_above (u64 mask) { return mask ? ~0ull << __builtin_ctzll (mask) : 0; }

static u64 shifted (const Insn *i, u64 mask, u64 by) {
  u32 width = i->width;
  if (i->op == OP_ASHR) return shift_right_arithmetic (mask, by, width);
  if (by >= width) return 0;
  return i->op == OP_SHL ? low_bits (mask << by, width) : mask >> by;
}

typedef struct Operands {
  u64 a, b, c, mask_a, mask_b, mask_c; /* values, and their undefined bits: there are some */
} Operands;

static u64 result_mask (const Insn *i, const Operands *o) {
  u64 either = o->mask_a | o->mask_b;
  u32 width = i->width;
  switch ((Op)i->op) {
  case OP_MOV:
  case OP_INRANGE:
  case OP_FNEG:
    return o->mask_a;
  case OP_AND:
    return either & (o->mask_a | o->a) & (o->mask_b | o->b);
  case OP_OR:
    return either & (o->mask_a | ~o->a) & (o->mask_b | ~o->b);
  case OP_XOR:
    return either;
  case OP_ADD:
  case OP_SUB:
  case OP_MUL:
  case OP_INDEX:
  case OP_SADD:
  case OP_SSUB:
  case OP_SMUL:
    return low_bits (and_above (either), width);
  case OP_SHL:
  case OP_LSHR:
  case OP_ASHR:
    return o->mask_b ? all_bits (width) : shifted (i, o->mask_a, o->b);
  case OP_EQ:
  case OP_NE: /* a defined difference decides */
    return !((o->a ^ o->b) & ~either);
  case OP_ULT:
  case OP_ULE:
  case OP_SLT:
  case OP_SLE:
  case OP_FCMP:
  case OP_ADDO_S:
  case OP_ADDO_U:
  case OP_SUBO_S:
  case OP_SUBO_U:
  case OP_MULO_S:
  case OP_MULO_U:
    return 1;
  case OP_TRUNC:
    return low_bits (o->mask_a, i->sub);
  case OP_SEXT:
    return low_bits ((u64)sign_extend (o->mask_a, width), i->sub);
  case OP_BSWAP:
    return __builtin_bswap64 (o->mask_a) >> (64 - width);
  case OP_SELECT:
    if (o->mask_a) return (o->b ^ o->c) | o->mask_b | o->mask_c;
    return o->a ? o->mask_b : o->mask_c;
  case OP_PAIR: /* all or none */
    return o->mask_a == ~0ull && o->mask_b == ~0ull ? ~0ull : 0;
  case OP_LOW:
  case OP_HIGH:
    return o->mask_a ? ~0ull : 0;
  case OP_FPTOSI:
  case OP_FPTOUI:
  case OP_SITOFP:
  case OP_UITOFP:
  case OP_FPCONV:
    return all_bits (i->sub);
  case OP_UDIV:
  case OP_SDIV:
  case OP_UREM:
  case OP_SREM:
  case OP_FADD:
  case OP_FSUB:
  case OP_FMUL:
  case OP_FDIV:
  case OP_FREM:
  case OP_CTPOP:
  case OP_CTLZ:
  case OP_CTTZ:
  case OP_UNDEF:
    return all_bits (width);
  case OP_ALLOCA: /* those below have no result, or one of their own */
  case OP_TLS:
  case OP_LOAD:
  case OP_STORE:
  case OP_RMW:
  case OP_CAS:
  case OP_FENCE:
  case OP_JMP:
  case OP_BR:
  case OP_SWITCH:
  case OP_CALL:
  case OP_RETVAL:
  case OP_RET:
  case OP_BUILTIN:
  case OP_SPIN:
  case OP_UNREACHABLE:
  case OP_UNSUPPORTED:
  case OP_COUNT:
    break;
  }
  return 0;
}

/* ---- what must not depend on them ------------------------------------------------------------ */

static bool any_argument (const Vm *vm, const Insn *i) {
  const Operand *args = vm->run.frames[vm->run.depth - 1].fn->args.data + i->first;
  for (u32 k = 0; k < i->nargs; k++)
    if (undefined_operand (vm, args[k])) return true;
  return false;
}

static bool is_division (u8 op) {
  return op == OP_UDIV || op == OP_SDIV || op == OP_UREM || op == OP_SREM;
}

static bool asks_for_undefined (const Insn *i) {
  return i->op == OP_BUILTIN && i->sub == BUILTIN_IS_DEFINED;
}

/* Whether the instruction does something that an undefined operand decides. What is merely stored,
 * passed or returned is another matter. */
static bool depends (const Vm *vm, const Insn *i) {
  u8 op = i->op;
  bool a = op == OP_ALLOCA || op == OP_LOAD || op == OP_STORE || op == OP_BR || op == OP_SWITCH ||
           op == OP_RMW || op == OP_CAS || op == OP_INRANGE ||
           (op == OP_CALL && i->a != OPERAND_NONE);
  bool b = op == OP_RMW || op == OP_CAS || is_division (op);
  return (a && undefined_operand (vm, i->a)) || (b && undefined_operand (vm, i->b)) ||
         (op == OP_CAS && undefined_operand (vm, i->c)) ||
         (op == OP_BUILTIN && i->sub != BUILTIN_THREAD_EXIT && !asks_for_undefined (i) &&
          any_argument (vm, i));
}

/* Called before an instruction runs, while some register is tainted; false if it depends on
 * undefined bits. */
bool undefined_step (Vm *vm, const Insn *i, const u64 *regs) {
  const u64 *consts = vm->facts->consts;
  if (depends (vm, i)) return undefined_stop (vm);
  /* a call's result comes with the return */
  if (i->dst < 0 || i->op == OP_CALL || asks_for_undefined (i)) return true;
  Operands o = {.mask_a = undefined_operand (vm, i->a)};
  u64 mask = 0;
  if (op_form ((Op)i->op) != FORM_OTHER) {
    if (i->b != OPERAND_NONE) o.mask_b = undefined_operand (vm, i->b);
    if (i->c != OPERAND_NONE) o.mask_c = undefined_operand (vm, i->c);
    o.a = VALUE (i->a);
    if (i->b != OPERAND_NONE) o.b = VALUE (i->b);
    if (i->c != OPERAND_NONE) o.c = VALUE (i->c);
    if (o.mask_a | o.mask_b | o.mask_c || i->op == OP_UNDEF) mask = result_mask (i, &o);
  }
  undefined_result (vm, i, mask);
  return true;
}
