/* access.c - loads, stores and atomic accesses: answered from private memory, or handed to the
 * engine as effects.
 *
 * Every access is checked here for null, bounds and the ends of objects that this thread can know
 * of: its private frees and its own stack objects. Frees that are events are checked by the engine.
 */
#include "vm/arith.h"
#include "vm/vm_int.h"

enum { NULL_PAGE = 4096 };

static bool stop_outside (Vm *vm, u64 addr, u32 size, const char *what) {
  char buffer[80];
  if (addr < NULL_PAGE) {
    const char *text =
        addr ? vm_text (vm, "a null pointer can be dereferenced, at offset %u", (u32)addr)
             : "a null pointer can be dereferenced";
    return stop_error (vm, FINDING_NULL_DEREF, text);
  }
  snprintf (buffer, sizeof buffer, "%s of %u byte%s can reach ", what, size, size == 1 ? "" : "s");
  stop_error (vm, FINDING_OUT_OF_BOUNDS, vm_text_at (vm, buffer, addr, ""));
  vm->run.effect.addr = addr;
  return false;
}

bool access_is_freed (const Vm *vm, const Object *o) {
  u32 written;
  memory_read (vm->run.memory, o->base + o->size, 1, &written);
  return written;
}

static bool is_dead_on_stack (const Run *r, const Object *o, u32 id) {
  if (o->kind != OBJECT_STACK || o->tid != r->tid) return false;
  u32 depth = o->index & 0xffff;
  return depth >= r->objects.size || r->objects.data[depth] != id;
}

/* The live object that covers the access, or NULL having stopped. */
static Object *object_of_access (Vm *vm, u64 addr, u32 size, const char *what) {
  Object *o = objects_find (vm, addr, size);
  if (UNLIKELY (!o)) {
    stop_outside (vm, addr, size, what);
    return NULL;
  }
  if (UNLIKELY (o->freed_by)) {
    if (o->freed_by == NOT_DEFINED) {
      stop_unsupported (vm, vm_text (vm, "the variable `%s`: no file given defines it",
                                     vm->program->globals.data[o->index].name));
      return NULL;
    }
    if (o->freed_by != 1 + vm->run.tid) {
      object_claim_freed (vm, o);
      stop_sharing_changed (vm);
      return NULL;
    }
    if (access_is_freed (vm, o)) {
      stop_error (vm, FINDING_USE_AFTER_FREE,
                  vm_text_at (vm, "`", addr, "` can be used after it was freed"));
      vm->run.effect.addr = addr;
      return NULL;
    }
  }
  if (UNLIKELY (is_dead_on_stack (&vm->run, o, (u32)(o - vm->objects->list.data)))) {
    stop_error (vm, FINDING_USE_AFTER_FREE,
                "a local variable of a function that has returned can be used");
    return NULL;
  }
  return o;
}

/* Copies of library code (memcpy, realloc) pass over padding, which nobody has written. */
static bool may_be_uninitialised (const Vm *vm, const Insn *i) {
  return vm->origin[i->pos] == CODE_RUNTIME || i->flags & INSN_COPY;
}

static bool private_load (Vm *vm, const Insn *i, const Object *o, u64 addr, u32 size, u64 *value) {
  u32 written;
  if (UNLIKELY (size > 8)) {
    Pair p;
    if (!private_load (vm, i, o, addr, 8, &p.low) ||
        !private_load (vm, i, o, addr + 8, size - 8, &p.high))
      return false;
    *value = pair_intern (vm, p);
    return true;
  }
  *value = memory_read (vm->run.memory, addr, size, &written);
  if (LIKELY (written == (1u << size) - 1)) return true;
  u64 initial, mask = 0;
  if (!object_initial (o, addr - o->base, size, &initial) && !may_be_uninitialised (vm, i)) {
    stop_error (vm, FINDING_UNINITIALISED,
                vm_text_at (vm, "`", addr, "` can be read before it is written"));
    vm->run.effect.addr = addr;
    return false;
  }
  for (u32 k = 0; k < size; k++)
    if (written >> k & 1) mask |= 0xffull << (8 * k);
  *value = (*value & mask) | (initial & ~mask);
  return true;
}

/* The bytes of `cell` from `offset` on. */
static u64 cell_part (Pair cell, u32 offset, u32 size) {
  u128 bits = (u128)cell.high << 64 | cell.low;
  return (u64)(bits >> (8 * offset)) & SIZE_MASK (size);
}

static Pair cell_with_part (Pair cell, u32 offset, u32 size, u64 value) {
  u128 bits = (u128)cell.high << 64 | cell.low, mask = (u128)SIZE_MASK (size) << (8 * offset);
  bits = (bits & ~mask) | ((u128)value << (8 * offset) & mask);
  return (Pair){(u64)bits, (u64)(bits >> 64)};
}

/* The next step of a plain access: a whole cell, or a part of a cell that is atomic elsewhere. The
 * latter reads the cell, and a store then writes it as it has become: whoever could tell the
 * difference has a race on the cell. */
static bool stop_at_cell (Vm *vm, const Insn *i, Object *o, Effect e) {
  Run *r = &vm->run;
  u32 done = r->part & ~PART_READ;
  u64 at = e.addr - o->base + done;
  Cell cell = cells_at (o, at);
  u32 skip = (u32)(at - cell.start), left = e.size - done;
  u32 size = left < cell.size - skip ? left : cell.size - skip;
  e.addr = o->base + cell.start;
  e.expected = skip;
  e.value = e.value >> (8 * done) & SIZE_MASK (size);
  e.size = (u8)cell.size;
  if (size == cell.size || e.kind != EFF_WRITE) return stop_at (vm, i, e);
  if (r->part & PART_READ) {
    Pair old = pair_of_value (vm, r->part_value, cell.size);
    e.value = value_of_pair (vm, cell_with_part (old, skip, size, e.value), cell.size);
  } else {
    e.kind = EFF_READ;
    e.value = 0;
    e.is_copy = true;
  }
  stop_at (vm, i, e);
  vm->run.effect.in_spin = false; /* nobody waits for what a store reads */
  return false;
}

/* One step of a plain access is done; whether more are to come. *value: what was read, and in the
 * end all of it. */
bool access_takes_more (Vm *vm, const Insn *i, u64 *value) {
  Run *r = &vm->run;
  const Effect *e = &r->effect;
  if (LIKELY (e->size == i->width && !e->expected)) return false;
  if (i->op == OP_STORE && e->kind == EFF_READ) {
    r->part |= PART_READ;
    r->part_value = *value;
    return true;
  }
  if (r->part & PART_READ) r->part_value = 0;
  r->part &= ~PART_READ;
  u32 skip = (u32)e->expected, left = i->width - r->part;
  u32 size = left < e->size - skip ? left : e->size - skip;
  r->part_value |= cell_part (pair_of_value (vm, *value, e->size), skip, size) << (8 * r->part);
  r->part += size;
  if (r->part < i->width) return true;
  *value = r->part_value;
  r->part = 0;
  r->part_value = 0;
  return false;
}

/* A shared access as an effect. */
static bool stop_at_access (Vm *vm, const Insn *i, Object *o, Effect e) {
  if (!cells_claim (vm, o, e.addr - o->base, e.size, e.order != ORD_NA))
    return stop_unsupported (vm, "atomic accesses of different sizes to the same memory");
  return e.order == ORD_NA ? stop_at_cell (vm, i, o, e) : stop_at (vm, i, e);
}

bool access_load (Vm *vm, const Insn *i, u64 addr, u64 *value) {
  Object *o = object_of_access (vm, addr, i->width, "a read");
  if (UNLIKELY (!o)) return false;
  Access access = i->order == ORD_SC ? ACCESS_SHARED : ACCESS_READ;
  switch (object_claim (vm, o, addr - o->base, i->width, access)) {
  case CLAIM_PRIVATE:
    return private_load (vm, i, o, addr, i->width, value);
  case CLAIM_CHANGED:
  case CLAIM_SHARED:
    break;
  }
  return stop_at_access (
      vm, i, o, (Effect){.kind = EFF_READ, .order = i->order, .size = i->width, .addr = addr});
}

static bool stop_const (Vm *vm, u64 addr) {
  const Object *o = objects_below (vm, addr);
  bool is_literal =
      o && o->kind == OBJECT_GLOBAL && vm->program->globals.data[o->index].name[0] == '.';
  return stop_error (vm, FINDING_OUT_OF_BOUNDS,
                     is_literal ? "a string literal or another constant can be written to"
                                : vm_text_at (vm, "the constant `", addr, "` can be written to"));
}

static bool private_store (Vm *vm, u64 addr, u32 size, u64 value) {
  if (LIKELY (size <= 8)) return memory_write (&vm->pool, &vm->run.memory, addr, size, value);
  Pair p = pair_of (vm, value);
  bool low = private_store (vm, addr, 8, p.low);
  return private_store (vm, addr + 8, size - 8, p.high) || low;
}

bool access_store (Vm *vm, const Insn *i, u64 addr, u64 value) {
  Object *o = object_of_access (vm, addr, i->width, "a write");
  if (UNLIKELY (!o)) return false;
  if (UNLIKELY (o->is_const)) return stop_const (vm, addr);
  value &= SIZE_MASK (i->width);
  bool is_fence = i->order == ORD_SC || (vm->options.keep_releases && order_is_release (i->order));
  Access access = is_fence ? ACCESS_SHARED : ACCESS_WRITE;
  switch (object_claim (vm, o, addr - o->base, i->width, access)) {
  case CLAIM_PRIVATE:
    vm->run.effects += private_store (vm, addr, i->width, value);
    return true;
  case CLAIM_CHANGED:
  case CLAIM_SHARED:
    break;
  }
  return stop_at_access (
      vm, i, o,
      (Effect){
          .kind = EFF_WRITE, .order = i->order, .size = i->width, .addr = addr, .value = value});
}

/* RMWs and locks are always events, so their memory is shared from the first one on. */
bool access_atomic (Vm *vm, const Insn *i, Effect e, const char *what) {
  Object *o = object_of_access (vm, e.addr, e.size, what);
  if (UNLIKELY (!o)) return false;
  if (UNLIKELY (o->is_const)) return stop_const (vm, e.addr);
  object_claim (vm, o, e.addr - o->base, e.size, ACCESS_SHARED);
  return stop_at_access (vm, i, o, e);
}
