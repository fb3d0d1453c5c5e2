/* laps.c - threads that come back to where they were without an effect.
 *
 * A loop that only looks at what its own thread has, or at memory that no thread writes, has no
 * effect at which it could be found waiting, and step_spin compares one iteration with the next
 * alone. So when a thread has made very many steps since its last effect, it is watched from one
 * head of a loop to the next: if its registers are back, and nothing has changed, it will come back
 * again and again, and waits forever. A state is remembered now and then (Brent, docs/papers.md). */
#include "vm/vm_int.h"

enum { STEPS_BEFORE = 1000000 };

u64 laps_start (const Vm *vm) {
  u64 most = vm->options.max_steps;
  return most < STEPS_BEFORE ? most : STEPS_BEFORE;
}

void laps_begin (Vm *vm) { vm->laps.visits = 1; }

static u32 registers_in_use (const Run *r) {
  const Frame *top = &r->frames[r->depth - 1];
  return top->regs + top->fn->regs;
}

static bool is_there (const Laps *l, const Run *r, const Insn *i) {
  u32 n = registers_in_use (r);
  return l->at == i && l->depth == r->depth && l->effects == r->effects && !r->keeps_effects &&
         l->objects == r->objects.size && l->regs.size == n && !r->tainted &&
         !memcmp (l->regs.data, r->regs, n * sizeof *r->regs);
}

static void remember (Laps *l, const Run *r, const Insn *i) {
  l->at = i;
  l->depth = r->depth;
  l->effects = r->effects;
  l->objects = r->objects.size;
  l->regs.size = 0;
  for (u32 k = 0; k < registers_in_use (r); k++) vec_push (&l->regs, r->regs[k]);
}

bool laps_is_back (Vm *vm, const Insn *i) {
  assert (vm->laps.visits && i->op == OP_SPIN);
  Laps *l = &vm->laps;
  if (is_there (l, &vm->run, i)) return true;
  u64 visit = l->visits++;
  if ((visit & (visit - 1)) == 0) remember (l, &vm->run, i);
  return false;
}
