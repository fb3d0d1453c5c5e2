/* name.c - addresses as people read them. */
#include "vm/vm_int.h"

static void add_object (const Vm *vm, const Object *o, Str *out) {
  const Program *p = vm->program;
  unsigned long long size = o->size;
  switch ((ObjectKind)o->kind) {
  case OBJECT_GLOBAL:
    str_add (out, program_global_title (&p->globals.data[o->index]));
    return;
  case OBJECT_TLS:
    str_printf (out, "%s of t%u", program_global_title (&p->globals.data[o->index]), o->tid);
    return;
  case OBJECT_MALLOC:
    str_printf (out, "malloc(%llu)#%u of t%u", size, o->index + 1, o->tid);
    if (o->align > 16) str_printf (out, " aligned to %u", o->align);
    return;
  case OBJECT_CALLOC:
    str_printf (out, "calloc(%llu)#%u of t%u", size, o->index + 1, o->tid);
    return;
  case OBJECT_STACK:
    str_printf (out, "stack object #%u of t%u (%llu bytes, in %s)", o->index + 1, o->tid, size,
                program_function_title (&p->functions.data[o->func]));
    return;
  case OBJECT_SHADOW:
    str_add (out, "shadow of ");
    vm_name_address (vm, vm->facts->objects.list.data[o->index].base + o->tid, out);
    return;
  }
}

static void add_inside (const Vm *vm, const Object *o, u64 offset, Str *out) {
  const Program *p = vm->program;
  if (o->kind == OBJECT_GLOBAL || o->kind == OBJECT_TLS) {
    program_name_bytes (p, &p->globals.data[o->index], offset, out);
    if (o->kind == OBJECT_TLS) str_printf (out, " of t%u", o->tid);
    return;
  }
  add_object (vm, o, out);
  if (offset) str_printf (out, " + %llu", (unsigned long long)offset);
}

/* How far past an object an address still counts as having run out of it. */
enum { NEAR = 4096 };

void vm_name_address (const Vm *vm, u64 addr, Str *out) {
  HOLD_FACTS (vm);
  const Object *o = objects_below (vm, addr);
  const Function *fn = vm_function_at (vm, addr);
  if (fn)
    str_add (out, fn->name);
  else if (o && addr - o->base < o->size)
    add_inside (vm, o, addr - o->base, out);
  else if (o && addr == o->base)
    add_object (vm, o, out);
  else if (o && addr - o->base - o->size < NEAR) {
    str_printf (out, "%llu bytes after ", (unsigned long long)(addr - o->base - o->size));
    add_object (vm, o, out);
  } else
    str_printf (out, "0x%llx", (unsigned long long)addr);
}

/* ---- for people ----------------------------------------------------------------------------- */

static void add_thread (Str *out, Tid t) {
  if (t)
    str_printf (out, " of t%u", t);
  else
    str_add (out, " of main");
}

/* Where the members begin that the C library or the C++ library keeps for itself. */
static size_t length_for_people (const char *name) {
  static const char *const inner[] = {".__", "._M_", "._S_"};
  size_t length = strlen (name);
  for (u32 i = 0; i < ARRAY_SIZE (inner); i++) {
    const char *at = strstr (name, inner[i]);
    if (at && (size_t)(at - name) < length) length = (size_t)(at - name);
  }
  return length;
}

static bool is_named (const Object *o) {
  return o->kind == OBJECT_GLOBAL || o->kind == OBJECT_TLS ||
         (o->kind == OBJECT_STACK && o->name && o->name != NAME_MANY);
}

static void add_variable (const Vm *vm, const Object *o, u64 offset, bool is_pointer, Str *out) {
  const Program *p = vm->program;
  Str name = {0};
  bool is_local = o->kind == OBJECT_STACK;
  str_add (&name, is_local ? p->strings.data[o->name - 1]
                           : program_global_title (&p->globals.data[o->index]));
  if (offset < o->size)
    program_name_part (p, is_local ? o->type : p->globals.data[o->index].type, offset, is_pointer,
                       &name);
  str_add_n (out, name.text, length_for_people (name.text));
  if (o->kind == OBJECT_TLS) add_thread (out, o->tid);
  str_free (&name);
}

static bool describe (const Vm *vm, const Object *o, u64 offset, bool is_pointer, Str *out) {
  if (is_named (o)) {
    add_variable (vm, o, offset, is_pointer, out);
    return true;
  }
  switch ((ObjectKind)o->kind) {
  case OBJECT_SHADOW:
    return vm_describe_address (vm, vm->facts->objects.list.data[o->index].base + o->tid, out);
  case OBJECT_GLOBAL:
  case OBJECT_TLS:
    break;
  case OBJECT_MALLOC:
  case OBJECT_CALLOC:
    str_printf (out, "%s(%llu)#%u", o->kind == OBJECT_MALLOC ? "malloc" : "calloc",
                (unsigned long long)o->size, o->index + 1);
    break;
  case OBJECT_STACK:
    str_printf (out, "local(%llu)#%u", (unsigned long long)o->size, (o->index & 0xffff) + 1);
    break;
  }
  add_thread (out, o->tid);
  if (offset && offset < o->size) str_printf (out, " + %llu", (unsigned long long)offset);
  return false;
}

/* The object that an address outside of every object was most likely meant for: the one that it
 * lies just in front of, or else the one before it. */
static const Object *object_nearby (const Vm *vm, u64 addr) {
  const ObjectTable *t = &vm->facts->objects;
  const Object *below = objects_below (vm, addr);
  u32 next = below ? (u32)(below - t->list.data) + 1 : 0;
  const Object *above = next < t->list.size ? &t->list.data[next] : NULL;
  u64 behind = below ? addr - below->base - below->size : UINT64_MAX;
  u64 before = above ? above->base - addr : UINT64_MAX;
  if (before < behind) return before <= NEAR ? above : NULL;
  return behind < NEAR ? below : NULL;
}

bool vm_describe_address (const Vm *vm, u64 addr, Str *out) {
  HOLD_FACTS (vm);
  const Object *o = objects_below (vm, addr);
  const Function *fn = vm_function_at (vm, addr);
  if (fn) {
    str_add (out, program_function_title (fn));
    return true;
  }
  if (o && (addr == o->base || addr - o->base < o->size))
    return describe (vm, o, addr - o->base, false, out);
  o = object_nearby (vm, addr);
  if (!o) {
    str_printf (out, "address 0x%llx, where no object is", (unsigned long long)addr);
    return false;
  }
  if (addr < o->base)
    str_printf (out, "%llu byte%s before `", (unsigned long long)(o->base - addr),
                o->base - addr == 1 ? "" : "s");
  else
    str_printf (out, "offset %llu of `", (unsigned long long)(addr - o->base));
  bool is_variable = describe (vm, o, o->size, false, out);
  str_add (out, "`");
  str_printf (out, " (%llu bytes)", (unsigned long long)o->size);
  return is_variable;
}

bool vm_describe_pointer (const Vm *vm, u64 value, Str *out) {
  HOLD_FACTS (vm);
  const Object *o = objects_below (vm, value);
  if (!o || value - o->base >= o->size) return false;
  describe (vm, o, value - o->base, true, out);
  return true;
}

u32 vm_origin_of (const Vm *vm, u64 addr, Tid *by) {
  HOLD_FACTS (vm);
  const Object *o = objects_below (vm, addr);
  if (!o || addr - o->base > o->size) o = object_nearby (vm, addr);
  if (!o || !object_is_heap (o) || o->origin == ORIGIN_MANY) return 0;
  *by = o->tid;
  return o->origin;
}
