/* object.c - the objects of a program, their addresses, and which thread owns which granule.
 *
 * Addresses are handed out upwards and never again, so the table is sorted by birth. Objects lie
 * far apart, by 1 GB as long as they are not many, and what lies between belongs to none: whatever
 * small steps lead out of an object, they do not lead into another. A large step that leaves the
 * surroundings of its object gives an address that is marked as ASTRAY. An object that is the same
 * in every execution has the same address in every execution: the table is interned by (kind,
 * thread, index, size, alignment), where the index is the global, the thread's allocation count, or
 * the number of stack objects that were live below it, of which those of different functions
 * differ.
 *
 * Ownership. A granule is four bytes. A thread that is alone with a granule, over all executions so
 * far, keeps it in its private memory. As soon as that stops being true the granule is shared
 * permanently; if private accesses to it have already happened, executions explored so far lack
 * them as events, and the exploration must start again: this is `sharing changed`. Memory that no
 * thread has written yet is private to all its readers: every read has one answer. Stacks and
 * thread-local variables belong to their thread from the start: what another thread touches there
 * is shared at once, even if the owner never touches it.
 *
 * Freeing. A free is an effect when another thread touches the object in some execution, because
 * then the order of the free and those accesses matters. Otherwise only the freeing thread could
 * ever notice it, so it is private: a mark in the thread's private memory, at the first byte
 * after the object. The object remembers who freed it privately (freed_by). When anybody else
 * comes near such an object, that private free should have been an event: sharing changes, and from
 * then on every access to the object, and every free of it, is an effect. Whether an access comes
 * after a free that is an event is for the engine to decide. The end of a stack object or of a
 * thread-local variable is an event if some granule is shared. If it was none before that became
 * known (has_ended), sharing changes, too.
 *
 * Invariants:
 *  O1  list is sorted by base, and gap_after (id) bytes at least lie after each object
 *  O2  all_shared implies has_shared and owners == NULL
 *  O3  toucher covers every thread that has accessed or freed the object
 *  O4  an access that covers a shared granule covers only shared granules */
#include "vm/arith.h"
#include "vm/vm_int.h"

enum { SHARE_OBJECTS_AFTER = 16, SHARE_EVERYTHING_AFTER = 64 };

static u64 intern_hash (const Object *o) {
  u64 h = hash_mix ((u64)o->kind << 32 | o->tid, (u64)o->func << 32 | o->index);
  return hash_mix (h ^ o->align, o->size);
}

static bool is_same (const Object *a, const Object *b) {
  return a->kind == b->kind && a->tid == b->tid && a->index == b->index && a->size == b->size &&
         a->align == b->align && a->func == b->func;
}

static u32 *intern_slot (const ObjectTable *t, const Object *key) {
  u32 mask = t->interned_capacity - 1;
  u32 i = (u32)(intern_hash (key) >> 17) & mask;
  while (t->interned[i] && !is_same (&t->list.data[t->interned[i] - 1], key)) i = (i + 1) & mask;
  return &t->interned[i];
}

static void intern_grow (ObjectTable *t) {
  mem_free (t->interned);
  t->interned_capacity = t->interned_capacity ? t->interned_capacity * 2 : 64;
  t->interned = mem_zalloc (t->interned_capacity * sizeof *t->interned);
  for (u32 i = 0; i < t->list.size; i++) *intern_slot (t, &t->list.data[i]) = i + 1;
}

static bool is_of_runtime (const Vm *vm, const Object *o) {
  return o->kind == OBJECT_GLOBAL &&
         !strncmp (vm->program->globals.data[o->index].name, "porf_runtime_", 13);
}

/* Memory of one thread by nature is left to ownership even when everything else is shared, and so
 * are the books that the runtime keeps, and shadows, for the sake of BUILTIN_WORD_STATE. */
static bool shared_from_start (const Vm *vm, const Object *o) {
  return vm->facts->share_everything && o->kind != OBJECT_STACK && o->kind != OBJECT_TLS &&
         o->kind != OBJECT_SHADOW && !o->is_const && !is_of_runtime (vm, o);
}

u32 objects_intern (Vm *vm, Object o) {
  ObjectTable *t = &vm->facts->objects;
  if (o.align < 16) o.align = 16;
  u32 id = t->interned_capacity ? *intern_slot (t, &o) : 0;
  if (id) return id - 1;
  return (u32)fact_learn (vm,
                          (Fact){FACT_OBJECT, {o.kind, o.tid, o.index, o.size, o.align, o.func}});
}

static void describe_global (const Vm *vm, Object *o) {
  const Global *g = &vm->program->globals.data[o->index];
  o->is_const = g->is_const;
  o->image = vm->facts->images[o->index] ? vm->facts->images[o->index] : g->init;
  o->freed_by = g->is_extern ? NOT_DEFINED : 0;
}

/* Below 2^47 there is room for three times 2^45 bytes of it, and 2^27 objects more. */
static u64 gap_after (u32 id) {
  return 1ull << (id < 1 << 15 ? 30 : id < 1 << 19 ? 26 : id < 1 << 23 ? 22 : 18);
}

u32 objects_add (Vm *vm, Object o) {
  ObjectTable *t = &vm->facts->objects;
  if (o.kind == OBJECT_GLOBAL || o.kind == OBJECT_TLS) describe_global (vm, &o);
  if ((t->list.size + 1) * 2 > t->interned_capacity) intern_grow (t);
  u32 *slot = intern_slot (t, &o);
  if (*slot) return *slot - 1;
  o.base = (t->next + o.align - 1) & ~(o.align - 1ull);
  o.all_shared = o.has_shared = shared_from_start (vm, &o);
  t->next = o.base + o.size + gap_after (t->list.size);
  BUG_IF (t->next >> 47);
  vec_push (&t->list, o);
  vec_push (&t->bases, o.base);
  return (*slot = t->list.size) - 1;
}

u32 objects_intern_global (Vm *vm, Tid tid, u32 index) {
  const Global *g = &vm->program->globals.data[index];
  Object o = {.kind = g->is_tls ? OBJECT_TLS : OBJECT_GLOBAL,
              .tid = tid,
              .index = index,
              .size = g->size,
              .align = g->align};
  return objects_intern (vm, o);
}

const Object *objects_find_global (const Vm *vm, Tid tid, u32 index) {
  const Global *g = &vm->program->globals.data[index];
  Object key = {.kind = g->is_tls ? OBJECT_TLS : OBJECT_GLOBAL,
                .tid = tid,
                .index = index,
                .size = g->size,
                .align = g->align < 16 ? 16 : g->align};
  u32 id = vm->facts->objects.interned_capacity ? *intern_slot (&vm->facts->objects, &key) : 0;
  return id ? &vm->facts->objects.list.data[id - 1] : NULL;
}

void objects_init (Vm *vm) {
  vm->facts->objects.next = OBJECT_BASE;
  const Program *p = vm->program;
  for (u32 i = 0; i < p->globals.size; i++)
    if (!p->globals.data[i].is_tls) objects_intern_global (vm, 0, i);
}

void objects_done (Vm *vm) {
  ObjectTable *t = &vm->facts->objects;
  for (u32 i = 0; i < t->list.size; i++) {
    mem_free (t->list.data[i].owners);
    mem_free (t->list.data[i].cells);
  }
  vec_free (&t->list);
  vec_free (&t->bases);
  mem_free (t->interned);
}

Object *objects_below (const Vm *vm, u64 addr) {
  const ObjectTable *t = &vm->facts->objects;
  u32 low = 0, high = t->bases.size; /* bases[low - 1] <= addr < bases[high] */
  while (low < high) {
    u32 middle = low + (high - low) / 2;
    if (t->bases.data[middle] <= addr)
      low = middle + 1;
    else
      high = middle;
  }
  return low ? &t->list.data[low - 1] : NULL;
}

static bool covers (const Object *o, u64 addr, u64 size) {
  return addr - o->base < o->size && o->size - (addr - o->base) >= size;
}

Object *objects_find (const Vm *vm, u64 addr, u64 size) {
  ObjectTable *t = &vm->facts->objects;
  if (LIKELY (*vm->hint < t->list.size && covers (&t->list.data[*vm->hint], addr, size)))
    return &t->list.data[*vm->hint];
  Object *o = objects_below (vm, addr);
  if (!o || !covers (o, addr, size)) return NULL;
  *vm->hint = (u32)(o - t->list.data);
  return o;
}

static bool is_around (const ObjectTable *t, u32 id, i128 addr) {
  const Object *o = &t->list.data[id];
  i128 margin = gap_after (id) / 2, start = o->base;
  return addr >= start - margin && addr < start + o->size + margin;
}

/* An object that the address is around. */
static bool find_around (const Vm *vm, u64 addr, u32 *id) {
  const ObjectTable *t = &vm->facts->objects;
  const Object *below = objects_below (vm, addr);
  *id = below ? (u32)(below - t->list.data) : 0;
  if (*id < t->list.size && is_around (t, *id, addr)) return true;
  return ++*id < t->list.size && is_around (t, *id, addr);
}

/* What is added to an address byte by byte may be a tag. */
u64 vm_address_far_from (const Vm *vm, u64 addr, u64 index, u64 size) {
  u64 result = addr + index * size, mask = SIZE_MASK (6);
  i128 place = size == 1 ? (i128)(result & mask) : (addr & mask) + (i128)(i64)index * (i64)size;
  u32 id;
  if (addr & ASTRAY) return result | ASTRAY;
  if (!find_around (vm, addr & mask, &id) || is_around (&vm->facts->objects, id, place))
    return result;
  return result | ASTRAY;
}

bool object_initial (const Object *o, u64 offset, u32 size, u64 *value) {
  *value = 0;
  if (o->kind == OBJECT_MALLOC || o->kind == OBJECT_STACK) return false;
  if (o->image) memcpy (value, o->image + offset, size);
  return true;
}

/* ---- ownership ------------------------------------------------------------------------------ */

static bool was_private (u16 owner) { return owner != OWNER_NONE && owner != OWNER_SHARED; }

/* The end of the object is an event from now on; true if it has been none. */
static bool share_end (Object *o) {
  bool changed = !o->has_shared && o->has_ended;
  o->has_shared = true;
  return changed;
}

/* Every access is an effect from now on; true if some have been private. */
static bool share_object (Object *o) {
  bool changed = share_end (o);
  if (o->owners)
    for (u64 i = 0; i < (o->size + 3) / 4; i++) changed |= was_private (o->owners[i]);
  mem_free (o->owners);
  o->owners = NULL;
  o->all_shared = true;
  return changed;
}

static Claim sharing_change (Vm *vm, Object *o) {
  vm->facts->sharing_changed = true;
  vm->facts->sharing_changes++;
  if (vm->facts->sharing_changes > SHARE_OBJECTS_AFTER && o->kind != OBJECT_SHADOW)
    share_object (o);
  if (vm->facts->sharing_changes == SHARE_EVERYTHING_AFTER) {
    vm->facts->share_everything = true;
    for (u32 i = 0; i < vm->facts->objects.list.size; i++) {
      Object *other = &vm->facts->objects.list.data[i];
      if (shared_from_start (vm, other)) share_object (other);
    }
  }
  return CLAIM_CHANGED;
}

static void touch (Object *o, u16 me) {
  if (UNLIKELY (o->toucher != me && o->toucher != OWNER_SHARED))
    o->toucher = o->toucher ? OWNER_SHARED : me;
}

/* The mark of a granule after `me` has touched it. */
static u16 owner_after (u16 owner, u16 me, Access access) {
  u16 reader = me | OWNER_READ_BIT;
  if (owner == OWNER_SHARED || access == ACCESS_SHARED) return OWNER_SHARED;
  if (access == ACCESS_WRITE)
    return owner == OWNER_NONE || owner == me || owner == reader ? me : OWNER_SHARED;
  if (owner == OWNER_NONE) return reader;
  if (owner == me || owner == reader) return owner;
  return owner & OWNER_READ_BIT ? OWNER_READERS : OWNER_SHARED;
}

/* Another thread has freed it privately, which should have been an event. */
static bool was_freed_by_another (const Object *o, u16 me) {
  return o->freed_by && o->freed_by != NOT_DEFINED && o->freed_by != me;
}

Claim object_free_seen (Vm *vm, Object *o, Tid t) {
  touch (o, (u16)(1 + t));
  share_object (o);
  o->freed_by = 0;
  return sharing_change (vm, o);
}

Claim object_touch (Vm *vm, Object *o, Tid t, u64 offset, u32 size, Access access) {
  u16 me = (u16)(1 + t);
  if (UNLIKELY (was_freed_by_another (o, me))) return object_free_seen (vm, o, t);
  touch (o, me);
  if (o->all_shared) return CLAIM_SHARED;
  if (o->is_const) {
    if (access != ACCESS_SHARED) return CLAIM_PRIVATE;
    return share_end (o) ? sharing_change (vm, o) : CLAIM_SHARED;
  }
  if (UNLIKELY (!o->owners)) o->owners = mem_zalloc ((o->size + 3) / 4 * sizeof *o->owners);
  u16 *first = o->owners + offset / 4, *last = o->owners + (offset + size - 1) / 4;
  bool shared = false, changed = false;
  for (u16 *w = first; w <= last; w++) shared |= owner_after (*w, me, access) == OWNER_SHARED;
  if (LIKELY (!shared)) {
    for (u16 *w = first; w <= last; w++) *w = owner_after (*w, me, access);
    return CLAIM_PRIVATE;
  }
  for (u16 *w = first; w <= last; w++) {
    changed |= was_private (*w);
    *w = OWNER_SHARED;
  }
  changed |= share_end (o);
  return changed ? sharing_change (vm, o) : CLAIM_SHARED;
}

u64 object_end (Object *o) {
  o->has_ended = !o->has_shared;
  return 0;
}

Claim object_free (Vm *vm, Object *o, Tid t) {
  u16 me = (u16)(1 + t);
  if (UNLIKELY (was_freed_by_another (o, me))) return object_free_seen (vm, o, t);
  touch (o, me);
  if (!o->has_shared && o->toucher == me) {
    o->freed_by = me;
    return CLAIM_PRIVATE;
  }
  return share_object (o) ? sharing_change (vm, o) : CLAIM_SHARED;
}

/* ---- what a thread claims -------------------------------------------------------------------- */

/* Only facts that change something are learned by way of others; a claim that does not is as good
 * on what is known here. */
static bool is_touched_by (const Object *o, u16 me) {
  return o->toucher == me || o->toucher == OWNER_SHARED;
}

static bool is_known_claim (const Object *o, u16 me, u64 offset, u32 size, Access access) {
  if (!is_touched_by (o, me)) return false;
  if (o->all_shared) return true;
  if (o->is_const) return access != ACCESS_SHARED || o->has_shared;
  if (!o->owners) return false;
  for (u64 i = offset / 4; i <= (offset + size - 1) / 4; i++)
    if (owner_after (o->owners[i], me, access) != o->owners[i]) return false;
  return true;
}

static bool is_known_free (const Object *o, u16 me) {
  return is_touched_by (o, me) && (o->all_shared || (!o->has_shared && o->freed_by == me));
}

static bool learns_alone (const Vm *vm) {
  return LIKELY (!vm->facts->ask && !vm->facts->keeps_log);
}

static Claim learn_claim (Vm *vm, Object **o, Fact f) {
  u32 id = (u32)(*o - vm->facts->objects.list.data);
  f.a[0] = id;
  f.a[1] = vm->run.tid;
  Claim c = (Claim)fact_learn (vm, f);
  *o = &vm->facts->objects.list.data[id];
  return c;
}

Claim object_claim (Vm *vm, Object **o, u64 offset, u32 size, Access access) {
  if (learns_alone (vm) || is_known_claim (*o, (u16)(1 + vm->run.tid), offset, size, access))
    return object_touch (vm, *o, vm->run.tid, offset, size, access);
  return learn_claim (vm, o, (Fact){FACT_CLAIM, {0, 0, offset, size, access}});
}

Claim object_claim_free (Vm *vm, Object **o) {
  if (learns_alone (vm) || is_known_free (*o, (u16)(1 + vm->run.tid)))
    return object_free (vm, *o, vm->run.tid);
  return learn_claim (vm, o, (Fact){.kind = FACT_FREE});
}

bool object_claim_end (Vm *vm, u32 id) {
  const Object *o = &vm->facts->objects.list.data[id];
  if (!o->has_shared && !o->has_ended) fact_learn (vm, (Fact){FACT_ENDED, {id}});
  return vm->facts->objects.list.data[id].has_shared;
}

void object_claim_freed (Vm *vm, Object *o) { learn_claim (vm, &o, (Fact){.kind = FACT_FREED}); }

/* ---- for people ------------------------------------------------------------------------------ */

void object_set_origin (Object *o, u32 pos) {
  o->origin = !o->origin || o->origin == pos ? pos : ORIGIN_MANY;
}

/* Different variables can be the same object at different times. */
void object_set_name (Object *o, u32 name, u32 type) {
  if (o->name == NAME_MANY) return;
  o->name = o->name && (o->name != name || o->type != type) ? NAME_MANY : name;
  o->type = type;
}
