/* leak.c - heap blocks that are neither freed nor reachable when a program has ended.
 *
 * Roots are the variables of the program, the thread-local ones of main, and whatever belongs to
 * threads that have not ended: their registers, their stack and the blocks that they allocated.
 * From these on, every aligned word that holds an address in a block makes the block reachable;
 * tags in the lowest bits or above the address do not matter. Blocks are marked in the private
 * memory of the thread that allocated them, after the mark for being freed (object.c).
 */
#include "vm/snapshot.h"

enum { ALLOCATED_AT = 1, ALLOCATED_BYTES = 4 }; /* after the block: by which code, as position */

void leak_note_allocation (Vm *vm, const Object *o, u32 pos) {
  if (!vm->options.find_leaks) return;
  memory_write (&vm->pool, &vm->run.memory, o->base + o->size + ALLOCATED_AT, ALLOCATED_BYTES, pos);
}

typedef struct Search {
  const Vm *vm;
  const VmEnd *end;
  u8 *is_reachable; /* by object */
  VEC (u32) todo;
} Search;

static const Snap *thread_at (const Search *s, Tid t) {
  return t < s->end->thread_count ? (const Snap *)s->end->threads[t] : NULL;
}

/* Or it has called exit. */
static bool has_ended (const Search *s, Tid t) {
  const Snap *thread = thread_at (s, t);
  const Effect *e = thread ? &thread->head.effect : NULL;
  return !e || e->kind == EFF_END || (e->kind == EFF_BLOCK && e->value == BLOCK_EXIT);
}

static bool is_marked (const Search *s, Tid t, u64 addr, u32 size, u64 *value) {
  const Snap *thread = thread_at (s, t);
  u32 written = 0;
  if (thread) *value = memory_read (thread->memory, addr, size, &written);
  return written;
}

static bool is_allocated (const Search *s, const Object *o, u64 *pos) {
  u64 value, end = o->base + o->size;
  if (!object_is_heap (o) || !is_marked (s, o->tid, end + ALLOCATED_AT, ALLOCATED_BYTES, pos))
    return false;
  if (s->end->is_freed (s->end->arg, o->base)) return false;
  return !o->freed_by || !is_marked (s, (Tid)(o->freed_by - 1), end, 1, &value);
}

/* What a byte holds in the end. */
static u8 final_byte (const Search *s, const Object *o, u64 offset) {
  u8 byte = 0;
  u16 owner = o->owners ? o->owners[offset / 4] : OWNER_NONE;
  u64 value;
  if (o->all_shared || owner == OWNER_SHARED) {
    if (s->end->byte_at (s->end->arg, o->base + offset, &byte)) return byte;
  } else if (owner != OWNER_NONE && !(owner & OWNER_READ_BIT) &&
             is_marked (s, owner - 1u, o->base + offset, 1, &value))
    return (u8)value;
  object_initial (o, offset, 1, &value);
  return (u8)value;
}

static void reach (Search *s, u32 object) {
  if (s->is_reachable[object]) return;
  s->is_reachable[object] = 1;
  vec_push (&s->todo, object);
}

static void follow (Search *s, u64 value) {
  const Object *o = objects_below (s->vm, value & ((1ull << 47) - 1));
  if (o && object_is_heap (o) && (value & ((1ull << 47) - 1)) <= o->base + o->size)
    reach (s, (u32)(o - s->vm->facts->objects.list.data));
}

/* A block that was freed holds nothing. */
static void scan (Search *s, const Object *o) {
  u64 pos;
  if (object_is_heap (o) && !is_allocated (s, o, &pos)) return;
  for (u64 offset = 0; offset + 8 <= o->size; offset += 8) {
    u64 value = 0;
    for (u32 k = 0; k < 8; k++) value |= (u64)final_byte (s, o, offset + k) << (8 * k);
    if (value) follow (s, value);
  }
}

static bool is_root (const Search *s, const Object *o) {
  switch ((ObjectKind)o->kind) {
  case OBJECT_GLOBAL:
  case OBJECT_SHADOW:
    return true;
  case OBJECT_TLS:
    return !o->tid || !has_ended (s, o->tid);
  case OBJECT_MALLOC:
  case OBJECT_CALLOC:
  case OBJECT_STACK:
    return !has_ended (s, o->tid);
  }
  return true;
}

void vm_find_leaks (const Vm *vm, const VmEnd *end) {
  HOLD_FACTS (vm);
  const ObjectTable *t = &vm->facts->objects;
  Search s = {.vm = vm, .end = end, .is_reachable = mem_zalloc (t->list.size)};
  for (u32 i = 0; i < t->list.size; i++)
    if (is_root (&s, &t->list.data[i])) reach (&s, i);
  for (Tid n = 0; n < end->thread_count; n++)
    if (!has_ended (&s, n)) {
      const Snap *thread = thread_at (&s, n);
      for (u32 k = 0; k < thread->reg_count; k++) follow (&s, snapshot_registers (thread)[k]);
    }
  while (s.todo.size) scan (&s, &t->list.data[vec_pop (&s.todo)]);
  for (u32 i = 0; i < t->list.size; i++) {
    const Object *o = &t->list.data[i];
    u64 pos;
    if (!s.is_reachable[i] && is_allocated (&s, o, &pos))
      end->on_leak (end->arg, o->base, o->tid, (u32)pos);
  }
  vec_free (&s.todo);
  mem_free (s.is_reachable);
}
