/* access.c - loads, stores and atomic accesses: answered from private memory, or handed to the
 * engine as effects.
 *
 * Every access is checked here for null, bounds and the ends of objects that this thread can know
 * of: its private frees and its own stack objects. Frees that are events are checked by the engine.
 */
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
static bool may_be_uninitialised (const Vm *vm, const Insn *i) { return vm->is_library[i->pos]; }

static bool private_load (Vm *vm, const Insn *i, const Object *o, u64 addr, u64 *value) {
  u32 size = i->width, written;
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

/* A shared access as an effect: whole, or the next cell of it. */
static bool stop_at_access (Vm *vm, const Insn *i, Object *o, Effect e) {
  Run *r = &vm->run;
  u64 offset = e.addr - o->base;
  if (!cells_claim (vm, o, offset, e.size, e.order != ORD_NA))
    return stop_unsupported (
        vm, "atomic accesses to memory that is also accessed in pieces of another size");
  if (e.order == ORD_NA) {
    u32 size = cells_size (o, offset + r->part, e.size - r->part);
    e.addr += r->part;
    e.value = e.value >> (8 * r->part) & SIZE_MASK (size);
    e.size = (u8)size;
  }
  return stop_at (vm, i, e);
}

bool access_load (Vm *vm, const Insn *i, u64 addr, u64 *value) {
  Object *o = object_of_access (vm, addr, i->width, "a read");
  if (UNLIKELY (!o)) return false;
  Access access = i->order == ORD_SC ? ACCESS_SHARED : ACCESS_READ;
  switch (object_claim (vm, o, addr - o->base, i->width, access)) {
  case CLAIM_PRIVATE:
    return private_load (vm, i, o, addr, value);
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

bool access_store (Vm *vm, const Insn *i, u64 addr, u64 value) {
  Object *o = object_of_access (vm, addr, i->width, "a write");
  if (UNLIKELY (!o)) return false;
  if (UNLIKELY (o->is_const)) return stop_const (vm, addr);
  value &= SIZE_MASK (i->width);
  bool is_fence = i->order == ORD_SC || (vm->options.keep_releases && order_is_release (i->order));
  Access access = is_fence ? ACCESS_SHARED : ACCESS_WRITE;
  switch (object_claim (vm, o, addr - o->base, i->width, access)) {
  case CLAIM_PRIVATE:
    vm->run.effects += memory_write (&vm->pool, &vm->run.memory, addr, i->width, value);
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
