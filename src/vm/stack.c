/* stack.c - objects on the stack: where they lie, when they end, and what still points to them
 * then.
 *
 * An object lies at a place that belongs to its thread, its function and its depth on the stack, so
 * that it has the same address in every execution, and whenever nothing remembers the last one that
 * lay there. If something may, all that comes next lies elsewhere (Run.stack_ends), and the pointer
 * is seen to be wrong when it is used. A pointer is remembered
 *  - in shared memory, or by a thread that got it as its argument: once it was there (PUBLISHED);
 *  - in private memory of what is still alive: it is looked for if it was ever stored (KEPT);
 *  - in a result of the function, or, of a variable of a block, in a register that matters.
 * That is asked when a function returns, and of a variable of a block when its scope is entered
 * again. Iterations of a spin loop are alike unless they leave pointers. */
#include "vm/access.h"
#include "vm/idempotent_store.h"

enum { MOST_ENDS = UINT16_MAX };

/* Depth on the stack of the object of this thread that the address points to, or just after. */
static bool find_depth (const Vm *vm, u64 addr, u32 *depth) {
  const Run *r = &vm->run;
  addr &= SIZE_MASK (6);
  if (addr < OBJECT_BASE || !r->objects.size) return false;
  const Object *o = objects_below (vm, addr);
  if (!o || o->kind != OBJECT_STACK || o->tid != r->tid || addr > o->base + o->size) return false;
  *depth = o->index & 0xffff;
  u32 id = (u32)(o - vm->facts->objects.list.data);
  return *depth < r->objects.size && SLOT_OBJECT (r->objects.data[*depth]) == id;
}

static u32 frame_of (const Run *r, u32 depth) {
  u32 frame = r->depth - 1;
  while (frame && r->frames[frame].objects > depth) frame--;
  return r->frames[frame].objects;
}

/* Whether what lies in `to` is gone when the object at that depth is. */
static bool ends_with (const Vm *vm, const Object *to, u32 depth) {
  const Run *r = &vm->run;
  if (to->kind != OBJECT_STACK || to->tid != r->tid) return false;
  u32 other = to->index & 0xffff;
  return other == depth || (!(r->objects.data[depth] & SCOPED) && other >= frame_of (r, depth));
}

static void note_stored (Vm *vm, u64 value, const Object *to) {
  u32 depth;
  if (!find_depth (vm, value, &depth) || (to && ends_with (vm, to, depth))) return;
  vm->run.objects.data[depth] |= to ? KEPT : PUBLISHED;
}

void stack_note_stored (Vm *vm, u64 value, u32 size, const Object *to) {
  Pair p = pair_of_value (vm, value, size);
  if (p.low >= OBJECT_BASE) note_stored (vm, p.low, to);
  if (p.high >= OBJECT_BASE) note_stored (vm, p.high, to);
}

void stack_note_returned (Vm *vm, u64 value, u32 first) {
  u32 depth;
  if (find_depth (vm, value, &depth) && depth >= first) vm->run.objects.data[depth] |= PUBLISHED;
}

/* ---- what remembers an object that ends ------------------------------------------------------ */

typedef struct Ending {
  const Vm *vm;
  u32 keep;     /* what lies deeper ends, too */
  bool in_spin; /* variables of blocks end in this iteration */
} Ending;

static bool is_left (void *arg, u64 addr) {
  const Ending *e = arg;
  const Run *r = &e->vm->run;
  const Object *o = objects_below (e->vm, addr);
  if (!o || (o->freed_by && access_is_freed (e->vm, o))) return false;
  if (o->kind != OBJECT_STACK || o->tid != r->tid) return true;
  u32 depth = o->index & 0xffff, id = (u32)(o - e->vm->facts->objects.list.data);
  if (depth >= e->keep || depth >= r->objects.size) return false;
  u32 slot = r->objects.data[depth];
  bool ends_soon = slot & SCOPE_ENDED || (e->in_spin && slot & SCOPED);
  return SLOT_OBJECT (slot) == id && !ends_soon;
}

static bool is_in_register (const Vm *vm, const Insn *i, const Object *o) {
  const Run *r = &vm->run;
  const Frame *f = &r->frames[r->depth - 1];
  if (insn_ends_objects (i) && i->sub != BUILTIN_STACK_RESET) return false;
  if (!f->fn->live_after && i->flags & INSN_IN_SPIN) return false; /* what matters is unknown */
  u64 live = f->fn->live_after ? f->fn->live_after[i - f->fn->code.data].but_spin : ~0ull;
  for (u32 k = 0; k < f->fn->regs; k++)
    if ((k > 63 || live >> k & 1) && (i32)k != i->dst && r->regs[f->regs + k] >= o->base &&
        r->regs[f->regs + k] <= o->base + o->size)
      return true;
  return false;
}

static bool is_remembered (const Vm *vm, const Insn *i, u32 slot, u32 keep) {
  const Object *o = &vm->facts->objects.list.data[SLOT_OBJECT (slot)];
  if (slot & PUBLISHED || is_in_register (vm, i, o)) return true;
  if (!(slot & KEPT)) return false;
  Ending e = {vm, keep, run_is_in_spin (&vm->run, i)};
  return memory_find (vm->run.memory, o->base, o->base + o->size, is_left, &e);
}

static bool use_other_places (Vm *vm) {
  if (++vm->run.stack_ends < MOST_ENDS) return true;
  return stop_unsupported (vm, "more than 65,534 stack objects whose addresses escape");
}

static bool end_with_event (Vm *vm, const Insn *i, u32 slot) {
  const Object *o = &vm->facts->objects.list.data[SLOT_OBJECT (slot)];
  return use_other_places (vm) &&
         stop_at (vm, i, (Effect){.kind = EFF_FREE, .addr = o->base, .value = o->size});
}

static bool end_stack_object (Vm *vm, const Insn *i, u32 slot, u32 keep) {
  if (object_claim_end (vm, SLOT_OBJECT (slot))) return end_with_event (vm, i, slot);
  return !is_remembered (vm, i, slot, keep) || use_other_places (vm);
}

/* When main returns the program ends, and with it all use of its objects. */
bool run_ends_program (const Run *r, const Insn *i) {
  return r->tid == 0 && r->depth == 1 && i->op == OP_RET;
}

/* Ends the stack objects of a function that returns, or all when the thread exits, down to `keep`
 * of them. One that other threads know ends with an event, like a free. */
bool stack_end_objects (Vm *vm, const Insn *i, u32 keep) {
  Run *r = &vm->run;
  while (r->objects.size > keep) {
    u32 slot = vec_pop (&r->objects);
    if (slot & SCOPE_ENDED || run_ends_program (r, i)) continue;
    if (!end_stack_object (vm, i, slot, keep)) return false;
  }
  return true;
}

/* ---- beginnings ------------------------------------------------------------------------------ */

static void name_variable (Vm *vm, u32 id, u32 name, u32 type) {
  const Object *o = &vm->facts->objects.list.data[id];
  if (o->name != NAME_MANY && (o->name != name || o->type != type))
    fact_learn (vm, (Fact){FACT_NAME, {id, name, type}});
}

static u32 start_stack_object (Vm *vm, Object key, u32 name, u32 type) {
  Run *r = &vm->run;
  u32 id = objects_intern (vm, key);
  name_variable (vm, id, name, type);
  u64 address = vm->facts->objects.list.data[id].base;
  memory_clear (&vm->pool, &r->memory, address, key.size); /* what an earlier activation left */
  memory_clear (&vm->pool, &r->undefined_memory, address, key.size);
  if (UNLIKELY (vm->options.dependencies)) track_new_object (vm, address, key.size);
  quiet_forget_in (r, address, key.size);
  r->effects++;
  r->frames[r->depth - 1].effects++;
  return id;
}

bool step_alloca (Vm *vm, const Insn *i, u64 size, u64 *address) {
  Run *r = &vm->run;
  if (size > MAX_OBJECT_SIZE) return stop_unsupported (vm, "a stack object of more than 1 GB");
  if (r->objects.size >= MAX_STACK_OBJECTS) return stop_unsupported (vm, "too many stack objects");
  Object key = {.kind = OBJECT_STACK,
                .tid = r->tid,
                .index = r->stack_ends << 16 | r->objects.size,
                .size = size,
                .align = 1u << i->sub,
                .func = (u32)(r->frames[r->depth - 1].fn - vm->program->functions.data)};
  u32 name = i->b == OPERAND_NONE ? NAME_MANY : 1 + (u32)i->b;
  u32 id = start_stack_object (vm, key, name, i->c == OPERAND_NONE ? 0 : (u32)i->c);
  vec_push (&r->objects, i->flags & INSN_SCOPED ? id | SCOPED | SCOPE_ENDED : id);
  *address = vm->facts->objects.list.data[id].base;
  return true;
}

/* ---- scopes of blocks ------------------------------------------------------------------------ */

static u32 *find_on_stack (Vm *vm, u64 addr) {
  u32 depth;
  bool is_there = find_depth (vm, addr, &depth);
  return is_there ? &vm->run.objects.data[depth] : NULL;
}

/* A variable that lies where it lay in the last iteration of a spin loop: what it held there is
 * of no value, but to hold the same again is no change. */
static void forget_value (Vm *vm, const Object *o) {
  for (u64 at = 0; at < o->size; at += 8)
    memory_write (&vm->pool, &vm->run.undefined_memory, o->base + at,
                  o->size - at < 8 ? (u32)(o->size - at) : 8, ~0ull);
}

bool step_scope_begin (Vm *vm, const Insn *i, u64 *addr) {
  u32 *slot = find_on_stack (vm, *addr), was = slot ? *slot : 0;
  if (!(was & SCOPE_ENDED)) return true;
  Object key = vm->facts->objects.list.data[SLOT_OBJECT (was)];
  *slot = SLOT_OBJECT (was);
  if (!key.has_shared && i->flags & INSN_ONCE) return true;
  if (is_remembered (vm, i, was, UINT32_MAX) && !use_other_places (vm)) return false;
  *slot |= SCOPED;
  u32 index = vm->run.stack_ends << 16 | (key.index & 0xffff);
  if (key.index == index && i->flags & INSN_IN_SPIN) {
    forget_value (vm, &key);
    return true;
  }
  key.index = index;
  u32 id = start_stack_object (vm, key, key.name, key.type);
  *find_on_stack (vm, *addr) = id | SCOPED;
  *addr = vm->facts->objects.list.data[id].base;
  return true;
}

bool step_scope_end (Vm *vm, const Insn *i, u64 addr) {
  u32 *slot = find_on_stack (vm, addr);
  if (!slot || *slot & SCOPE_ENDED) return true;
  *slot |= SCOPE_ENDED;
  return !object_claim_end (vm, SLOT_OBJECT (*slot)) || end_with_event (vm, i, *slot);
}
