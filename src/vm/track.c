/* track.c - which reads of its own thread a value, an address and the way taken depend on.
 *
 * Every register has a set of events (core/deps.h), and so has every byte of private memory. What
 * an instruction computes depends on what its operands do, whatever the values are: r ^ r depends
 * on r, and a select on its condition. What the engine answers depends on the event alone. What the
 * thread does after a branch, an indirect call or an assumption depends on their conditions from
 * then on, as for a processor. docs/ARCHITECTURE.md says what is a dependency and what is not.
 *
 * The sets of private memory lie in a map of their own: that of the byte at address a in the four
 * bytes at 4 a, where nothing is written as long as the set is empty. */
#include "vm/vm_int.h"

static u32 *top_deps (const Vm *vm) {
  return vm->run.reg_deps + vm->run.frames[vm->run.depth - 1].regs;
}

static u32 of_operand (const u32 *deps, Operand o) { return o >= 0 ? deps[o] : 0; }

static u32 of_argument (const Vm *vm, const Insn *i, u32 k) {
  const Frame *f = &vm->run.frames[vm->run.depth - 1];
  return k < i->nargs ? of_operand (top_deps (vm), f->fn->args.data[i->first + k]) : 0;
}

u32 track_operand (const Vm *vm, Operand o) { return of_operand (top_deps (vm), o); }

static u32 join (Vm *vm, u32 a, u32 b) { return deps_union (&vm->deps, a, b); }

static void depend_on_way (Vm *vm, u32 set) {
  vm->run.tracked.ctrl = join (vm, vm->run.tracked.ctrl, set);
}

static u32 of_operands (Vm *vm, const Insn *i, const u32 *deps) {
  u32 a = of_operand (deps, i->a);
  switch (op_form ((Op)i->op)) {
  case FORM_UN:
  case FORM_CAST:
    return a;
  case FORM_BIN:
  case FORM_FCMP:
    return join (vm, a, of_operand (deps, i->b));
  case FORM_SELECT:
    return join (vm, a, join (vm, of_operand (deps, i->b), of_operand (deps, i->c)));
  case FORM_OTHER:
    break;
  }
  BUG ("an operation of another form");
}

/* Before the instruction runs. What loads, calls, returns and builtins give is known after
 * them. */
void track_step (Vm *vm, const Insn *i) {
  u32 *deps = top_deps (vm);
  switch ((Op)i->op) {
#include "ir/plain_ops.h"
    deps[i->dst] = of_operands (vm, i, deps);
    break;
  case OP_ALLOCA:
  case OP_TLS:
    deps[i->dst] = 0;
    break;
  case OP_RETVAL:
    deps[i->dst] = (u32)i->b <= vm->run.result_count ? vm->run.result_deps[i->b - 1] : 0;
    break;
  case OP_BR:
  case OP_SWITCH:
  case OP_CALL:
    depend_on_way (vm, of_operand (deps, i->a));
    break;
  case OP_BUILTIN:
    if (i->sub == BUILTIN_ASSUME) depend_on_way (vm, of_argument (vm, i, 0));
    break;
  case OP_LOAD:
  case OP_STORE:
  case OP_RMW:
  case OP_CAS:
  case OP_FENCE:
  case OP_JMP:
  case OP_RET:
  case OP_SPIN:
  case OP_UNREACHABLE:
  case OP_UNSUPPORTED:
    break;
  }
}

/* ---- private memory -------------------------------------------------------------------------- */

static u32 of_byte (const Vm *vm, u64 addr) {
  u32 written;
  u64 set = memory_read (vm->run.tracked.memory, 4 * addr, 4, &written);
  return written ? (u32)set : 0;
}

void track_load (Vm *vm, const Insn *i, u64 addr) {
  u32 set = 0;
  for (u32 k = 0; k < i->width && vm->run.tracked.memory; k++)
    set = join (vm, set, of_byte (vm, addr + k));
  top_deps (vm)[i->dst] = set;
}

void track_store (Vm *vm, const Insn *i, u64 addr) {
  u32 set = track_operand (vm, i->b);
  for (u32 k = 0; k < i->width; k++) {
    u32 old = of_byte (vm, addr + k);
    if (old == set) continue;
    vm->run.tracked.changes += join (vm, old, set) != set;
    memory_write (&vm->pool, &vm->run.tracked.memory, 4 * (addr + k), 4, set);
  }
}

void track_new_object (Vm *vm, u64 addr, u64 size) {
  memory_clear (&vm->pool, &vm->run.tracked.memory, 4 * addr, 4 * size);
}

/* ---- calls ----------------------------------------------------------------------------------- */

/* The callee has been entered, with empty sets. */
void track_call (Vm *vm, const Insn *i) {
  const Run *r = &vm->run;
  const Frame *caller = &r->frames[r->depth - 2], *callee = &r->frames[r->depth - 1];
  for (u32 k = 0; k < callee->fn->params; k++)
    r->reg_deps[callee->regs + k] =
        of_operand (r->reg_deps + caller->regs, caller->fn->args.data[i->first + k]);
}

/* Before the top frame goes. */
void track_return (Vm *vm, const Insn *i) {
  Run *r = &vm->run;
  const Frame *caller = &r->frames[r->depth - 2];
  for (u32 k = 0; k < r->result_count; k++) r->result_deps[k] = of_argument (vm, i, k + 1);
  i32 dst = caller->fn->code.data[caller->pc].dst;
  if (dst >= 0) r->reg_deps[caller->regs + (u32)dst] = of_argument (vm, i, 0);
}

/* Where memory is allocated depends on nothing. */
void track_builtin (Vm *vm, const Insn *i) {
  u32 set = 0;
  if (i->dst < 0) return;
  bool is_new =
      i->sub == BUILTIN_MALLOC || i->sub == BUILTIN_ALIGNED_ALLOC || i->sub == BUILTIN_CALLOC;
  for (u32 k = 0; k < i->nargs && !is_new; k++) set = join (vm, set, of_argument (vm, i, k));
  top_deps (vm)[i->dst] = set;
}

/* ---- effects --------------------------------------------------------------------------------- */

static void of_builtin (Vm *vm, const Insn *i, Effect *e) {
  switch ((EffectKind)e->kind) {
  case EFF_CREATE:
    e->deps[DEP_DATA] = of_argument (vm, i, 1);
    e->deps[DEP_ADDR] = of_argument (vm, i, 0);
    break;
  case EFF_END:
    e->deps[DEP_DATA] = of_argument (vm, i, 0);
    break;
  case EFF_RMW:
  case EFF_LOCK:
  case EFF_TRYLOCK:
  case EFF_UNLOCK:
  case EFF_JOIN:
    e->deps[DEP_ADDR] = of_argument (vm, i, 0);
    break;
  case EFF_FREE: /* not of the stack objects of a thread that exits */
    if (i->sub == BUILTIN_FREE || i->sub == BUILTIN_DELETE)
      e->deps[DEP_ADDR] = of_argument (vm, i, 0);
    break;
  case EFF_READ:
  case EFF_WRITE:
  case EFF_CAS:
  case EFF_FENCE:
  case EFF_NONDET:
  case EFF_BLOCK:
  case EFF_ERROR:
  case EFF_UNSUPPORTED:
    break;
  }
}

/* What is stored. The pieces of an update that is made in several are stored because of what was
 * read and compared. */
static u32 of_written (Vm *vm, const Insn *i) {
  const Tracked *t = &vm->run.tracked;
  const u32 *deps = top_deps (vm);
  if (i->op == OP_BUILTIN) return 0;
  u32 set = join (vm, of_operand (deps, i->op == OP_CAS ? i->c : i->b), t->cell);
  if (t->pieces && i->op == OP_CAS) set = join (vm, set, of_operand (deps, i->b));
  return join (vm, set, t->pieces);
}

/* The thread has stopped at an effect. */
void track_effect (Vm *vm) {
  Run *r = &vm->run;
  Effect *e = &r->effect;
  const Frame *f = &r->frames[r->depth - 1];
  const Insn *i = &f->fn->code.data[f->pc];
  const u32 *deps = top_deps (vm);
  e->place = r->tracked.effects;
  e->deps[DEP_CTRL] = r->tracked.ctrl;
  if (i->op == OP_LOAD || i->op == OP_STORE || i->op == OP_RMW || i->op == OP_CAS)
    e->deps[DEP_ADDR] = of_operand (deps, i->a);
  if (i->op == OP_CAS && e->kind != EFF_WRITE) e->deps[DEP_CAS] = of_operand (deps, i->b);
  if (e->kind == EFF_WRITE || effect_is_rmw (e)) e->deps[DEP_DATA] = of_written (vm, i);
  if (i->op == OP_RET && e->kind == EFF_END) e->deps[DEP_DATA] = of_argument (vm, i, 0);
  if (i->op == OP_BUILTIN) of_builtin (vm, i, e);
}

/* The engine has answered; `again`: the instruction comes again, for the rest of its cells or
 * objects. */
void track_answer (Vm *vm, const Insn *i, bool again) {
  Run *r = &vm->run;
  const Effect *e = &r->effect;
  u32 set = effect_takes_answer ((EffectKind)e->kind) ? deps_single (&vm->deps, e->place) : 0;
  r->tracked.effects += e->kind != EFF_BLOCK;
  if (UNLIKELY (e->whole_size)) {
    r->tracked.cell = e->is_merge ? set : 0;
    if (!e->is_merge) r->tracked.pieces = join (vm, r->tracked.pieces, set);
    set = r->tracked.pieces;
    if (!again) r->tracked.pieces = 0;
  }
  if (!again && i->dst >= 0) top_deps (vm)[i->dst] = set;
}

/* An update in pieces has read them and does not write. */
void track_update_end (Vm *vm, const Insn *i) {
  top_deps (vm)[i->dst] = vm->run.tracked.pieces;
  vm->run.tracked.pieces = 0;
}

/* ---- spin loops ------------------------------------------------------------------------------ */

/* At the head of a loop, whose iteration has left all values as they were (`same`). It can be
 * removed from an execution if what a value depended on before it, it still depends on: then
 * removing it takes dependencies away and adds none. If the iteration has read the value anew, the
 * old one depends on something else, and the execution without the iteration may be forbidden. But
 * then the iteration *before* can be removed, once nothing that it has read matters any more: after
 * as many further iterations as there are registers to hand on a value, and one if memory does.
 * Shadows have the sets at the last visit, the changes of those in memory, and the number of such
 * iterations. */
bool track_spin (Vm *vm, const Insn *i, bool same) {
  u32 *deps = top_deps (vm), *shadow = deps + i->b;
  u32 *changes = shadow + i->nargs, *times = changes + 1;
  bool hands_on = *changes != vm->run.tracked.changes, forgets = hands_on;
  for (u32 k = 0; k < i->nargs; k++) {
    u32 set = of_argument (vm, i, k);
    forgets |= join (vm, shadow[k], set) != set;
    shadow[k] = set;
  }
  *changes = vm->run.tracked.changes;
  *times = same && forgets ? *times + 1 : 0;
  return *times && *times <= i->nargs + (u32)hands_on;
}
