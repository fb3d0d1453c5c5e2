/* facts_io.c - what the VMs of an exploration know together, as bytes for another process.
 *
 * Addresses and numbers are given out in order, so objects, pairs and threads are written in that
 * order and made again by the same functions: they get the same ones. The rest is who has touched
 * what, and where memory is cut into cells.
 */
#include "vm/vm_int.h"

/* Marks are mostly the same for many neighbours. */
static void put_owners (Bytes *b, const u16 *marks, u64 count) {
  bytes_put (b, marks != NULL);
  for (u64 i = 0, n; marks && i < count; i += n) {
    for (n = 1; i + n < count && marks[i + n] == marks[i];) n++;
    bytes_put (b, n);
    bytes_put (b, marks[i]);
  }
}

static u16 *get_owners (ByteReader *r, u64 count) {
  if (!bytes_get_bool (r)) return NULL;
  u16 *marks = mem_zalloc (count * sizeof *marks);
  for (u64 i = 0, n; i < count && !r->is_bad; i += n) {
    n = bytes_get_below (r, count - i + 1);
    u16 mark = (u16)bytes_get_below (r, 1 << 16);
    for (u64 k = i; k < i + n; k++) marks[k] = mark;
    r->is_bad |= !n;
  }
  return marks;
}

static void put_cells (Bytes *b, const u8 *marks, u64 count) {
  bytes_put (b, marks != NULL);
  for (u64 i = 0, n; marks && i < count; i += n) {
    for (n = 1; i + n < count && marks[i + n] == marks[i];) n++;
    bytes_put (b, n);
    bytes_put (b, marks[i]);
  }
}

static u8 *get_cells (ByteReader *r, u64 count) {
  if (!bytes_get_bool (r)) return NULL;
  u8 *marks = mem_zalloc (count);
  for (u64 i = 0, n; i < count && !r->is_bad; i += n) {
    n = bytes_get_below (r, count - i + 1);
    u8 mark = (u8)bytes_get_below (r, 16);
    if (n) memset (marks + i, mark, n);
    r->is_bad |= !n;
  }
  return marks;
}

static u64 granules (const Object *o) { return (o->size + 3) / 4; }

static void put_object (Bytes *b, const Object *o) {
  bytes_put (b, o->kind);
  bytes_put (b, o->tid);
  bytes_put (b, o->index);
  bytes_put (b, o->size);
  bytes_put (b, o->align);
  bytes_put (b, o->func);
  bytes_put (b, o->all_shared);
  bytes_put (b, o->has_shared);
  bytes_put (b, o->has_ended);
  bytes_put (b, o->toucher);
  bytes_put (b, o->freed_by);
  bytes_put (b, o->origin);
  bytes_put (b, o->name);
  bytes_put (b, o->type);
  put_owners (b, o->owners, granules (o));
  put_cells (b, o->cells, o->size);
}

/* The object of that key, which must be the `number`-th. Those of globals are known already. */
static Object *make_object (ByteReader *r, Vm *vm, u32 number) {
  Object key = {0};
  key.kind = (u8)bytes_get_below (r, OBJECT_SHADOW + 1);
  key.tid = bytes_get_u32 (r);
  key.index = bytes_get_u32 (r);
  key.size = bytes_get_below (r, MAX_OBJECT_SIZE + 1);
  key.align = bytes_get_u32 (r);
  key.func = bytes_get_u32 (r);
  ObjectTable *t = &vm->facts->objects;
  bool is_global = key.kind == OBJECT_GLOBAL || key.kind == OBJECT_TLS;
  if (!key.align || key.align & (key.align - 1) || key.align > MAX_OBJECT_SIZE ||
      (is_global && (key.index >= vm->program->globals.size || key.tid > MAX_THREADS)) ||
      (t->next + key.size + key.align + (1ull << 30)) >> 47)
    r->is_bad = true;
  if (r->is_bad) return NULL;
  u32 id = is_global ? objects_intern_global (vm, key.tid, key.index) : objects_intern (vm, key);
  Object *o = &t->list.data[id];
  if (id == number && o->kind == key.kind && o->size == key.size && o->align == key.align) return o;
  r->is_bad = true;
  return NULL;
}

static void get_object (ByteReader *r, Vm *vm, u32 number) {
  Object *o = make_object (r, vm, number);
  if (!o) return;
  o->all_shared = bytes_get_bool (r);
  o->has_shared = bytes_get_bool (r);
  o->has_ended = bytes_get_bool (r);
  o->toucher = (u16)bytes_get_below (r, 1 << 16);
  o->freed_by = (u16)bytes_get_below (r, 1 << 16);
  o->origin = bytes_get_u32 (r);
  o->name = bytes_get_u32 (r);
  o->type = bytes_get_u32 (r);
  mem_free (o->owners);
  mem_free (o->cells);
  o->owners = get_owners (r, granules (o));
  o->cells = get_cells (r, o->size);
  if (o->all_shared && o->owners) r->is_bad = true;
}

u32 thread_number_of_child (const Thread *t) {
  u64 digits = t->path >> (56 - 8 * t->level);
  return (u32)(digits & (t->level == 1 ? 0xffff : 0xff)) - 1;
}

static void put_thread (Bytes *b, const Thread *t, bool is_main) {
  if (!is_main) {
    bytes_put (b, t->parent);
    bytes_put (b, thread_number_of_child (t));
  }
  bytes_put (b, t->knows_itself);
  bytes_put (b, t->is_collected);
  bytes_put (b, t->created_at);
  bytes_put (b, t->allocations);
  bytes_put (b, t->created_before);
  bytes_put (b, t->freed_after);
}

static void get_thread (ByteReader *r, Vm *vm, Tid number) {
  Tid child = 0;
  if (number) {
    Tid parent = (Tid)bytes_get_below (r, vm->facts->threads.size);
    u32 k = bytes_get_u32 (r);
    r->is_bad |= r->is_bad || !vm_child (vm, parent, k, &child) || child != number;
  }
  if (r->is_bad) return;
  Thread *t = &vm->facts->threads.data[child];
  t->knows_itself = bytes_get_bool (r);
  t->is_collected = bytes_get_bool (r);
  t->created_at = bytes_get_u32 (r);
  t->allocations = bytes_get_u32 (r);
  t->created_before = bytes_get_u32 (r);
  t->freed_after = bytes_get_u32 (r);
}

static void put_quiet (Bytes *b, const Quiet *q) {
  bytes_put (b, q->addr);
  bytes_put (b, q->size);
  bytes_put (b, q->tid);
  bytes_put (b, q->is_loud);
}

static Quiet get_quiet (ByteReader *r) {
  Quiet q = {.addr = bytes_get (r)};
  q.size = bytes_get_u32 (r);
  q.tid = (Tid)bytes_get_below (r, MAX_THREADS + 1);
  q.is_loud = bytes_get_bool (r);
  return q;
}

void vm_write_facts (const Vm *vm, Bytes *b) {
  HOLD_FACTS (vm);
  const Facts *f = vm->facts;
  bytes_put (b, f->share_everything);
  bytes_put (b, f->sharing_changes);
  bytes_put (b, f->threads.size);
  for (Tid t = 0; t < f->threads.size; t++) put_thread (b, &f->threads.data[t], t == 0);
  bytes_put (b, f->pairs.list.size);
  for (u32 i = 1; i < f->pairs.list.size; i++) {
    bytes_put (b, f->pairs.list.data[i].low);
    bytes_put (b, f->pairs.list.data[i].high);
  }
  bytes_put (b, f->objects.list.size);
  for (u32 i = 0; i < f->objects.list.size; i++) put_object (b, &f->objects.list.data[i]);
  bytes_put (b, f->objects.next);
  bytes_put_map (b, &f->participants);
  bytes_put_map (b, &f->lives);
  bytes_put (b, f->quiet_count);
  for (u32 i = 0; i < f->quiet_count; i++) put_quiet (b, &f->quiet[i]);
  bytes_put (b, f->assumed);
}

bool vm_read_facts (Vm *vm, ByteReader *r) {
  HOLD_FACTS (vm);
  Facts *f = vm->facts;
  f->share_everything = bytes_get_bool (r);
  f->sharing_changes = bytes_get_u32 (r);
  for (u32 n = bytes_get_count (r, 6), t = 0; t < n && !r->is_bad; t++) get_thread (r, vm, t);
  for (u32 n = bytes_get_count (r, 1), i = 1; i < n && !r->is_bad; i++) {
    Pair p = {0};
    p.low = bytes_get (r);
    p.high = bytes_get (r);
    r->is_bad |= r->is_bad || pair_intern (vm, p) != i;
  }
  u32 objects = bytes_get_count (r, 14);
  for (u32 i = 0; i < objects && !r->is_bad; i++) get_object (r, vm, i);
  if (f->objects.list.size != objects || bytes_get (r) != f->objects.next) r->is_bad = true;
  bytes_get_map (r, &f->participants);
  bytes_get_map (r, &f->lives);
  f->quiet_count = (u32)bytes_get_below (r, MAX_QUIET + 1);
  for (u32 i = 0; i < f->quiet_count; i++) f->quiet[i] = get_quiet (r);
  f->assumed = (u32)bytes_get_below (r, ASSUMPTION_BIT (ASSUMPTION_COUNT));
  return !r->is_bad;
}
