/* assumed.c - what the executions of a program take for granted (core/assumption.def).
 *
 * It is noted among the facts, which reach other workers, checkpoints and processes. The VM takes a
 * step at least once before it remembers it, so whatever some execution does is noted. Executions
 * that do not count, because more is shared than was known, are forgotten together with the memo.
 */
#include "vm/assumed.h"

void vm_note_assumed (Vm *vm, Assumption a) {
  u32 known = atomic_load_explicit (&vm->facts->assumed, memory_order_relaxed);
  if (!(known & ASSUMPTION_BIT (a))) fact_learn (vm, (Fact){FACT_ASSUMED, {a}});
}

bool vm_is_lifted (Vm *vm, Assumption a) {
  if (vm->options.lifted & ASSUMPTION_BIT (a)) return true;
  vm_note_assumed (vm, a);
  return false;
}

void vm_assume (Vm *vm, Assumption a) {
  HOLD_FACTS (vm);
  vm_note_assumed (vm, a);
}

/* ---- addresses: only what is freed before something is allocated can be used again */

void thread_allocates (Thread *t, u32 allocations, u32 created) {
  if (t->allocations < allocations) t->allocations = allocations;
  if (t->created_before < created) t->created_before = created;
}

void thread_frees (Thread *t, u32 allocations) {
  if (!t->freed_after || t->freed_after > 1 + allocations) t->freed_after = 1 + allocations;
}

void reuse_note_allocation (Vm *vm) {
  const Run *r = &vm->run;
  const Thread *t = &vm->facts->threads.data[r->tid];
  if (t->allocations <= r->allocations || t->created_before < r->created)
    fact_learn (vm, (Fact){FACT_ALLOCATES, {r->tid, r->allocations + 1, r->created}});
}

void reuse_note_free (Vm *vm) {
  const Run *r = &vm->run;
  u32 known = vm->facts->threads.data[r->tid].freed_after;
  if (!known || known > 1 + r->allocations)
    fact_learn (vm, (Fact){FACT_FREES, {r->tid, r->allocations}});
}

/* Whether all that thread `a` allocates is allocated before it starts `b`, or one that starts b. */
static bool allocates_before (const Facts *f, Tid a, Tid b) {
  while (b && f->threads.data[b].parent != a) b = f->threads.data[b].parent;
  return b && thread_number_of_child (&f->threads.data[b]) >= f->threads.data[a].created_before;
}

/* Whether a may allocate after b has freed something. */
static bool allocates_after (const Facts *f, Tid a, Tid b) {
  const Thread *allocator = &f->threads.data[a], *freer = &f->threads.data[b];
  if (!allocator->allocations || !freer->freed_after) return false;
  return a == b ? allocator->allocations >= freer->freed_after : !allocates_before (f, a, b);
}

static bool can_reuse_addresses (const Facts *f) {
  for (Tid a = 0; a < f->threads.size; a++)
    for (Tid b = 0; b < f->threads.size; b++)
      if (allocates_after (f, a, b)) return true;
  return false;
}

/* ---- the layout of memory. An object lies at the same address in all executions, one of many that
 * it could have. A program sees that if it orders addresses or computes with them as numbers; then
 * threads also differ by where their objects lie. The run-time library does it for other reasons,
 * as when memmove chooses a direction. */

static const Object *object_at_or_before (const Vm *vm, u64 addr) {
  const Object *o = objects_below (vm, addr);
  return o && addr <= o->base + o->size ? o : NULL;
}

static void note_layout (Vm *vm, const Object *o) {
  vm_note_assumed (vm, ASSUMPTION_LAYOUT_FIXED);
  if (o->kind != OBJECT_GLOBAL && o->kind != OBJECT_SHADOW) thread_note_self (vm, o->tid);
}

static bool is_of_runtime (const Vm *vm, const Insn *i) {
  return vm->facts->origin[i->pos] == CODE_RUNTIME;
}

void layout_note_two (Vm *vm, const Insn *i, u64 a, u64 b) {
  const Object *x = object_at_or_before (vm, a), *y = object_at_or_before (vm, b);
  if (!x || !y || x == y || is_of_runtime (vm, i)) return;
  note_layout (vm, x);
  note_layout (vm, y);
}

/* Every address is aligned and fits in 47 bits; tags go there. And a list can have the neighbours
 * of a node in one word, from which there is a way back. */
static bool tells_nothing (const Vm *vm, const Insn *i, u64 a, u64 b) {
  enum { ALIGNED = 16, ADDRESS_BITS = 47 };
  switch ((int)i->op) {
  case OP_TRUNC:
    return i->sub <= 4 || i->sub >= ADDRESS_BITS;
  case OP_LSHR:
  case OP_ASHR:
    return b >= ADDRESS_BITS;
  case OP_UREM:
  case OP_SREM:
    return b && ALIGNED % b == 0;
  case OP_AND:
    return a < ALIGNED || b < ALIGNED || object_at_or_before (vm, a & b);
  case OP_XOR:
    return (object_at_or_before (vm, a) && object_at_or_before (vm, b)) ||
           object_at_or_before (vm, a ^ b);
  default:
    return false;
  }
}

void layout_note_one (Vm *vm, const Insn *i, u64 a, u64 b) {
  const Object *x = object_at_or_before (vm, a), *y = object_at_or_before (vm, b);
  if ((x || y) && !is_of_runtime (vm, i) && !tells_nothing (vm, i, a, b))
    note_layout (vm, x ? x : y);
}

void vm_forget_assumed (Vm *vm) {
  HOLD_FACTS (vm);
  vm->facts->assumed = 0;
  for (Tid t = 0; t < vm->facts->threads.size; t++) {
    Thread *thread = &vm->facts->threads.data[t];
    thread->allocations = thread->created_before = thread->freed_after = 0;
  }
}

u32 vm_assumed (const Vm *vm) {
  HOLD_FACTS (vm);
  u32 assumed = vm->facts->assumed;
  if (can_reuse_addresses (vm->facts)) assumed |= ASSUMPTION_BIT (ASSUMPTION_ADDRESSES_FRESH);
  return assumed & ~vm->options.lifted;
}
