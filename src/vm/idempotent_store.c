/* idempotent_store.c - stores in spin loops that leave everything as it is.
 *
 * A thread that keeps a copy of what it has read beside the data (`q->cached_head = head`, in
 * memory that main has prepared or that is freed as a whole) stores it again in every failed
 * iteration. Such a store is an event, but no side effect (step_spin) if
 *  - it is not atomic, and the thread has read or stored the same there before, in a spin loop, and
 *    in between has done nothing from which another thread could learn of that;
 *  - no other thread ever touches that memory, apart from main before it creates the first one.
 * The second is found out: the first time a location is claimed, and when a claim turns out to be
 * wrong, which makes the location loud permanently, the exploration starts over.
 */
#include "vm/idempotent_store.h"

static u64 key_of (u64 addr, u32 size) { return addr | (u64)size << 48; }

static Quiet *find_overlapping (Facts *f, u64 addr, u32 size) {
  for (u32 i = 0; i < f->quiet_count; i++) {
    Quiet *q = &f->quiet[i];
    if (q->addr < addr + size && addr < q->addr + q->size) return q;
  }
  return NULL;
}

u64 quiet_claim (Vm *vm, u64 addr, u32 size, Tid t) {
  Facts *f = vm->facts;
  if (find_overlapping (f, addr, size) || f->quiet_count == ARRAY_SIZE (f->quiet)) return 0;
  f->quiet[f->quiet_count++] = (Quiet){.addr = addr, .size = size, .tid = t};
  f->sharing_changed = true;
  return 0;
}

u64 quiet_end (Vm *vm, u64 addr, u32 size) {
  Facts *f = vm->facts;
  for (u32 i = 0; i < f->quiet_count; i++) {
    Quiet *q = &f->quiet[i];
    if (q->is_loud || q->addr >= addr + size || addr >= q->addr + q->size) continue;
    q->is_loud = f->sharing_changed = true;
  }
  return 0;
}

void quiet_touch (Vm *vm, u64 addr, u32 size) {
  const Run *r = &vm->run;
  if (r->tid == 0 && r->created == 0) return;
  for (u32 i = 0; i < vm->facts->quiet_count; i++) {
    const Quiet *q = &vm->facts->quiet[i];
    if (q->is_loud || q->tid == r->tid || q->addr >= addr + size || addr >= q->addr + q->size)
      continue;
    fact_learn (vm, (Fact){FACT_LOUD, {addr, size}});
    return;
  }
}

static bool is_quiet (Vm *vm, const Effect *e) {
  const Quiet *q = find_overlapping (vm->facts, e->addr, e->size);
  return q && !q->is_loud && q->addr == e->addr && q->size == e->size && q->tid == vm->run.tid;
}

void quiet_forget (Run *r) { memset (r->known, 0, sizeof r->known); }

void quiet_forget_in (Run *r, u64 base, u64 size) {
  for (u32 i = 0; i < ARRAY_SIZE (r->known); i++)
    if ((r->known[i].key & SIZE_MASK (6)) - base < size) r->known[i] = (Known){~0ull, 0};
}

/* Whether the thread knew that already. */
static bool remember (Run *r, const Effect *e, u64 value) {
  u64 key = key_of (e->addr, e->size);
  Known *k = r->known, *end = k + ARRAY_SIZE (r->known);
  while (k < end && k->key && k->key != key) k++;
  if (k == end) k = r->known; /* no room: in place of another one */
  bool is_known = k->key == key && k->value == value;
  *k = (Known){key, value};
  return is_known;
}

static bool can_be_quiet (const Effect *e) {
  return e->order == ORD_NA && e->in_spin && !e->whole_size && e->size <= 8 && !e->undefined.bits;
}

void quiet_read (Vm *vm, const Effect *e, u64 value) {
  if (can_be_quiet (e) && is_quiet (vm, e)) remember (&vm->run, e, value);
}

bool quiet_store (Vm *vm, const Effect *e) {
  if (LIKELY (!vm->options.quiet_stores)) return false;
  if (!can_be_quiet (e)) {
    quiet_forget (&vm->run);
    return false;
  }
  if (!remember (&vm->run, e, e->value)) return false;
  if (!find_overlapping (vm->facts, e->addr, e->size))
    fact_learn (vm, (Fact){FACT_QUIET, {e->addr, e->size, vm->run.tid}});
  return is_quiet (vm, e);
}
