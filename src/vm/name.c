/* name.c - addresses as people read them. */
#include "vm/vm_int.h"

static void add_object (const Vm *vm, const Object *o, Str *out) {
  const Program *p = vm->program;
  unsigned long long size = o->size;
  switch ((ObjectKind)o->kind) {
  case OBJECT_GLOBAL:
    str_add (out, p->globals.data[o->index].name);
    return;
  case OBJECT_TLS:
    str_printf (out, "%s of t%u", p->globals.data[o->index].name, o->tid);
    return;
  case OBJECT_MALLOC:
    str_printf (out, "malloc(%llu)#%u of t%u", size, o->index + 1, o->tid);
    return;
  case OBJECT_CALLOC:
    str_printf (out, "calloc(%llu)#%u of t%u", size, o->index + 1, o->tid);
    return;
  case OBJECT_STACK:
    str_printf (out, "stack object #%u of t%u (%llu bytes)", o->index + 1, o->tid, size);
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

/* How far behind an object an address still counts as having run out of it. */
enum { NEAR = 4096 };

void vm_name_address (const Vm *vm, u64 addr, Str *out) {
  const Object *o = objects_below (vm, addr);
  const Function *fn = vm_function_at (vm, addr);
  if (fn)
    str_add (out, fn->name);
  else if (o && addr - o->base < o->size)
    add_inside (vm, o, addr - o->base, out);
  else if (o && addr == o->base)
    add_object (vm, o, out);
  else if (o && addr - o->base - o->size < NEAR) {
    str_printf (out, "%llu bytes behind ", (unsigned long long)(addr - o->base - o->size));
    add_object (vm, o, out);
  } else
    str_printf (out, "0x%llx", (unsigned long long)addr);
}
