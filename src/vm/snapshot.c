/* snapshot.c - saving and restoring the working state; the memo of successors.
 *
 * A snapshot is one block: head, frames, registers, further call results, live stack objects. It
 * shares its private memory with its neighbours (memory.c).
 *
 * The memo is one table (snapshot, answer) -> successor that owns a reference to both sides.
 * Snapshots own no references to each other, so releasing one never releases a chain. Each snapshot
 * also remembers its last successor without owning it; that pointer is valid while the memo is of
 * the same generation, i.e. has not been purged since.
 *
 * A thread that arrives at the same state by different answers, because it has forgotten them, gets
 * the same snapshot, so that whatever it does from there is run once. States are compared as bytes,
 * private memory by identity.
 *
 * The memo is purged as a whole when the bytes in use have grown by options.memo_bytes since the
 * last purge. Every purge is paid for by that growth; what the engine itself holds survives.
 */
#include "vm/idempotent_store.h"
#include "vm/snapshot.h"

#if defined(__SANITIZE_ADDRESS__)
enum { POOL_IS_SYSTEM = 1 }; /* so that the sanitizer sees every block */
#else
enum { POOL_IS_SYSTEM = 0 };
#endif
enum { SLAB_BYTES = 1 << 16 };

static void *pool_refill (Pool *p, size_t rounded) {
  if (POOL_IS_SYSTEM || rounded / 16 >= POOL_CLASSES) return mem_alloc (rounded);
  if (p->left < rounded) { /* the rest of the old slab is lost: at most 4 KB of 64 */
    p->next = mem_alloc (SLAB_BYTES);
    p->left = SLAB_BYTES;
    vec_push (&p->slabs, p->next);
  }
  void *item = p->next;
  p->next += rounded;
  p->left -= rounded;
  return item;
}

void *pool_get (Pool *p, size_t bytes) {
  size_t rounded = (bytes + 15) & ~(size_t)15, class = rounded / 16;
  p->live += rounded;
  PoolItem *item = LIKELY (class < POOL_CLASSES) ? p->free[class] : NULL;
  if (UNLIKELY (!item)) return pool_refill (p, rounded);
  p->free[class] = item->next;
  return item;
}

void pool_put (Pool *p, void *item, size_t bytes) {
  size_t rounded = (bytes + 15) & ~(size_t)15, class = rounded / 16;
  p->live -= rounded;
  if (POOL_IS_SYSTEM || class >= POOL_CLASSES) {
    mem_free (item);
    return;
  }
  ((PoolItem *)item)->next = p->free[class];
  p->free[class] = item;
}

void pool_done (Pool *p) {
  for (u32 i = 0; i < p->slabs.size; i++) mem_free (p->slabs.data[i]);
  vec_free (&p->slabs);
  *p = (Pool){0};
}

/* ---- saving and restoring -------------------------------------------------------------------- */

bool effect_is_last (const Effect *e) {
  return e->kind > EFF_BLOCK || (e->kind == EFF_BLOCK && e->value != BLOCK_SPIN);
}

bool effect_takes_answer (EffectKind kind) {
  switch (kind) {
  case EFF_READ:
  case EFF_RMW:
  case EFF_CAS:
  case EFF_TRYLOCK:
  case EFF_JOIN:
  case EFF_NONDET:
    return true;
  case EFF_WRITE:
  case EFF_LOCK:
  case EFF_UNLOCK:
  case EFF_FENCE:
  case EFF_CREATE:
  case EFF_FREE:
  case EFF_BLOCK:
  case EFF_ERROR:
  case EFF_UNSUPPORTED:
  case EFF_END:
    return false;
  }
  BUG ("effect kind");
}

static u64 *snap_regs (const Snap *s) { return (u64 *)(uintptr_t)(s->frames + s->depth); }
const u64 *snapshot_registers (const Snap *s) { return snap_regs (s); }
static u64 *snap_results (const Snap *s) { return snap_regs (s) + s->reg_count; }
static u64 *snap_masks (const Snap *s) { return snap_results (s) + s->result_count; }
static u32 *snap_objects (const Snap *s) { return (u32 *)(snap_masks (s) + s->tainted_end); }

void snapshot_add_rest (const Snap *s, Fingerprint *f) {
  for (u32 k = 0; k < s->result_count; k++) fingerprint_add (f, snap_results (s)[k]);
  for (u32 k = 0; k < s->tainted_end; k++) fingerprint_add (f, snap_masks (s)[k]);
  for (u32 k = 0; k < s->object_count; k++) fingerprint_add (f, snap_objects (s)[k]);
}

/* Only with dependencies. */
static Tracked *snap_tracked (const Snap *s) {
  return (Tracked *)(void *)(snap_objects (s) + (s->object_count + 1) / 2 * 2);
}
static u32 *snap_deps (const Snap *s) { return (u32 *)(snap_tracked (s) + 1); }

/* Whether the instruction at which the thread stops comes again: its operands are still needed
 * then. */
static bool comes_again (const Frame *f, const Effect *e) {
  const Insn *i = &f->fn->code.data[f->pc];
  return insn_ends_objects (i) || e->whole_size || effect_may_reuse (e);
}

static void clear_dead_registers (const Frame *f, u64 *regs, u32 *deps) {
  if (!f->fn->live_after) return;
  u64 live = f->fn->live_after[f->pc].all;
  for (u32 k = 0; k < f->fn->regs; k++) {
    if (live >> k & 1) continue;
    regs[f->regs + k] = 0;
    if (UNLIKELY (deps)) deps[f->regs + k] = 0;
  }
}

/* In all frames; not what an instruction that comes again needs. */
static void clear_dead (const Run *r, u64 *regs, u32 *deps) {
  for (u32 k = 0; k < r->depth; k++)
    if (k + 1 < r->depth || !comes_again (&r->frames[k], &r->effect))
      clear_dead_registers (&r->frames[k], regs, deps);
}

static size_t tracked_bytes (u32 regs, u32 objects) {
  return objects % 2 * sizeof (u32) + sizeof (Tracked) + regs * sizeof (u32);
}

static void save_tracked (Run *r, Snap *s) {
  if (s->object_count % 2) snap_objects (s)[s->object_count] = 0;
  *snap_tracked (s) = r->tracked;
  memcpy (snap_deps (s), r->reg_deps, s->reg_count * sizeof (u32));
  r->tracked.memory = NULL;
}

/* How many registers have to be kept with their undefined bits. */
static u32 count_masks (const Run *r) {
  if (!r->tainted) return 0;
  clear_dead (r, r->undefined, NULL);
  u32 n = r->tainted_end;
  while (n && !r->undefined[n - 1]) n--;
  return n;
}

/* The working state becomes a snapshot, which takes over its private memory. */
static Snap *snapshot_save (Vm *vm) {
  Run *r = &vm->run;
  bool is_last = effect_is_last (&r->effect); /* then only the call stack matters */
  u32 regs = is_last ? 0 : r->frames[r->depth - 1].regs + r->frames[r->depth - 1].fn->regs;
  u32 results = is_last ? 0 : r->result_count, objects = is_last ? 0 : r->objects.size;
  u32 masks = is_last ? 0 : count_masks (r);
  size_t bytes = sizeof (Snap) + r->depth * sizeof (Frame) +
                 (regs + results + masks) * sizeof (u64) + objects * sizeof (u32);
  bool is_tracked = vm->options.dependencies;
  if (UNLIKELY (is_tracked)) bytes += tracked_bytes (regs, objects);
  Snap *s = pool_get (&vm->pool, bytes);
  s->head = (Snapshot){.references = 1, .tid = r->tid, .effect = r->effect};
  s->memory = r->memory;
  s->undefined_memory = r->undefined_memory;
  s->origin = r->origin;
  s->effects = r->effects;
  s->keeps_effects = r->keeps_effects;
  s->locked = r->locked;
  s->locked_effects = r->locked_effects;
  memcpy (s->known, r->known, sizeof s->known);
  s->allocations = r->allocations;
  s->created = r->created;
  s->stack_ends = r->stack_ends;
  s->tls_ends = r->tls_ends;
  s->not_reused = r->not_reused;
  s->pieces = r->pieces;
  s->depth = r->depth;
  s->reg_count = regs;
  s->object_count = objects;
  s->result_count = results;
  s->tainted_end = masks;
  s->bytes = (u32)bytes;
  s->memo_generation = 0;
  s->print = (Fingerprint){0};
  memcpy (s->frames, r->frames, r->depth * sizeof (Frame));
  memcpy (snap_regs (s), r->regs, regs * sizeof (u64));
  if (UNLIKELY (is_tracked)) save_tracked (r, s);
  if (!is_last) clear_dead (r, snap_regs (s), is_tracked ? snap_deps (s) : NULL);
  if (results) memcpy (snap_results (s), r->results, results * sizeof (u64));
  if (masks) memcpy (snap_masks (s), r->undefined, masks * sizeof (u64));
  if (objects) memcpy (snap_objects (s), r->objects.data, objects * sizeof (u32));
  undefined_clear (r);
  r->memory = r->undefined_memory = NULL;
  vm->stats.snapshots_live++;
  return s;
}

static void snapshot_load (Vm *vm, const Snap *s) {
  Run *r = &vm->run;
  r->tid = s->head.tid;
  r->depth = s->depth;
  r->memory = memory_share (s->memory);
  r->undefined_memory = memory_share (s->undefined_memory);
  r->origin = s->origin;
  r->effects = s->effects;
  r->keeps_effects = s->keeps_effects;
  r->locked = s->locked;
  r->locked_effects = s->locked_effects;
  memcpy (r->known, s->known, sizeof r->known);
  r->allocations = s->allocations;
  r->created = s->created;
  r->stack_ends = s->stack_ends;
  r->tls_ends = s->tls_ends;
  r->not_reused = s->not_reused;
  r->pieces = s->pieces;
  r->effect = s->head.effect;
  memcpy (r->frames, s->frames, s->depth * sizeof (Frame));
  memcpy (r->regs, snap_regs (s), s->reg_count * sizeof (u64));
  r->result_count = s->result_count;
  if (s->result_count) memcpy (r->results, snap_results (s), s->result_count * sizeof (u64));
  if (s->tainted_end) undefined_load (r, snap_masks (s), s->tainted_end);
  vec_reserve (&r->objects, s->object_count);
  r->objects.size = s->object_count;
  if (s->object_count) memcpy (r->objects.data, snap_objects (s), s->object_count * sizeof (u32));
  if (LIKELY (!vm->options.dependencies)) return;
  r->tracked = *snap_tracked (s);
  memory_share (r->tracked.memory);
  memcpy (r->reg_deps, snap_deps (s), s->reg_count * sizeof (u32));
}

void snapshot_release (Vm *vm, Snapshot *snapshot) {
  if (--snapshot->references) return;
  Snap *s = (Snap *)snapshot;
  memory_release (&vm->pool, s->memory);
  memory_release (&vm->pool, s->undefined_memory);
  if (UNLIKELY (vm->options.dependencies)) memory_release (&vm->pool, snap_tracked (s)->memory);
  pool_put (&vm->pool, s, s->bytes);
  vm->stats.snapshots_live--;
}

Snapshot *vm_effect_only (Vm *vm, Tid tid, const Effect *e) {
  size_t bytes = sizeof (Snap) + (vm->options.dependencies ? tracked_bytes (0, 0) : 0);
  Snap *s = pool_get (&vm->pool, bytes);
  memset (s, 0, bytes);
  s->head = (Snapshot){.references = 1, .tid = tid, .effect = *e};
  s->bytes = (u32)bytes;
  vm->stats.snapshots_live++;
  return &s->head;
}

const Effect *snapshot_effect (const Snapshot *s) { return &s->effect; }

u64 snapshot_private (const Snapshot *s, u64 addr, u32 size, u32 *written) {
  return memory_read (((const Snap *)s)->memory, addr, size, written);
}

u32 snapshot_backtrace (const Snapshot *snapshot, u32 *positions, u32 max) {
  const Snap *s = (const Snap *)snapshot;
  u32 n = 0;
  for (u32 i = s->depth; i > 0 && n < max; i--) {
    const Frame *f = &s->frames[i - 1];
    u32 pos = f->fn->code.data[f->pc].pos;
    if (pos) positions[n++] = pos;
  }
  return n;
}

/* ---- the memo -------------------------------------------------------------------------------- */

static MemoEntry *memo_slot (const Memo *m, u64 key, u64 answer) {
  u32 mask = m->capacity - 1;
  u32 i = (u32)(hash_mix (hash_mix (0, key), answer) >> 21) & mask;
  for (;; i = (i + 1) & mask) {
    MemoEntry *e = &m->entries[i];
    if (!e->next || (e->key == key && e->answer == answer)) return e;
  }
}

static void memo_grow (Memo *m) {
  Memo old = *m;
  m->capacity = old.capacity ? old.capacity * 2 : 256;
  m->entries = mem_zalloc (m->capacity * sizeof *m->entries);
  for (u32 i = 0; i < old.capacity; i++) {
    const MemoEntry *e = &old.entries[i];
    if (e->next) *memo_slot (m, e->key, e->answer) = *e;
  }
  mem_free (old.entries);
}

void memo_purge (Vm *vm) {
  Memo *m = &vm->memo;
  for (u32 i = 0; i < m->capacity; i++) {
    MemoEntry *e = &m->entries[i];
    if (!e->next) continue;
    snapshot_release (vm, &e->next->head);
    if (!(e->key & 1)) snapshot_release (vm, (Snapshot *)(uintptr_t)e->key);
    *e = (MemoEntry){0};
  }
  if (m->state_count) memset (m->states, 0, m->state_capacity * sizeof *m->states);
  m->size = m->state_count = 0;
  m->generation++;
  m->floor = vm->pool.live;
}

void memo_done (Vm *vm) {
  memo_purge (vm);
  mem_free (vm->memo.entries);
  mem_free (vm->memo.states);
  vm->memo = (Memo){0};
}

static Snap *memo_get (const Memo *m, u64 key, u64 answer) {
  return m->capacity ? memo_slot (m, key, answer)->next : NULL;
}

static void memo_put (Vm *vm, u64 key, u64 answer, Snap *next) {
  Memo *m = &vm->memo;
  if (vm->pool.live > m->floor + vm->options.memo_bytes) memo_purge (vm);
  if ((m->size + 1) * 3 > m->capacity * 2) memo_grow (m);
  *memo_slot (m, key, answer) = (MemoEntry){.key = key, .answer = answer, .next = next};
  m->size++;
  snapshot_share (&next->head);
  if (!(key & 1)) snapshot_share ((Snapshot *)(uintptr_t)key);
}

static u64 state_hash (const Snap *s) {
  u64 h = hash_mix (s->head.tid, (uintptr_t)s->memory ^ (uintptr_t)s->undefined_memory << 1);
  h = hash_mix (h, s->effects ^ (u64)s->allocations << 40 ^ (u64)s->created << 20);
  h = hash_mix (h, s->head.effect.value ^ s->head.effect.addr << 7 ^ s->head.effect.kind ^
                       (u64)s->head.effect.func << 32);
  return hash_bytes (s->frames, s->bytes - sizeof *s, h);
}

static bool same_pair (Pair a, Pair b) { return a.low == b.low && a.high == b.high; }

static bool same_pieces (const Pieces *a, const Pieces *b) {
  return a->done == b->done && a->is_update == b->is_update && a->writes == b->writes &&
         a->merges == b->merges && same_pair (a->value, b->value) &&
         same_pair (a->undefined, b->undefined) && same_pair (a->cell, b->cell) &&
         same_pair (a->cell_undefined, b->cell_undefined) && a->old == b->old;
}

/* `bytes`: how much of what stands after the head has to be equal. */
static bool same_but_memory (const Snap *a, const Snap *b, const Effect *effect_of_b,
                             size_t bytes) {
  return a->bytes == b->bytes && a->head.tid == b->head.tid && a->tainted_end == b->tainted_end &&
         a->effects == b->effects && a->keeps_effects == b->keeps_effects &&
         a->locked == b->locked && a->locked_effects == b->locked_effects &&
         !memcmp (a->known, b->known, sizeof a->known) && a->allocations == b->allocations &&
         a->created == b->created && a->stack_ends == b->stack_ends && a->tls_ends == b->tls_ends &&
         a->not_reused == b->not_reused && same_pieces (&a->pieces, &b->pieces) &&
         a->depth == b->depth && a->reg_count == b->reg_count &&
         a->object_count == b->object_count && effect_equal (&a->head.effect, effect_of_b) &&
         !memcmp (a->frames, b->frames, bytes);
}

static bool same_content (const Snap *a, const Snap *b, const Effect *effect_of_b, size_t bytes) {
  return a->memory == b->memory && a->undefined_memory == b->undefined_memory &&
         same_but_memory (a, b, effect_of_b, bytes);
}

static bool same_state (const Snap *a, const Snap *b) {
  return a->hash == b->hash && same_content (a, b, &b->head.effect, a->bytes - sizeof *a);
}

static Effect effect_depending_as (const Snapshot *s, const Snapshot *other) {
  Effect e = s->effect;
  e.place = other->effect.place;
  memcpy (e.deps, other->effect.deps, sizeof e.deps);
  return e;
}

/* Whether the two behave alike from here on but for what their effects depend on. Without
 * dependencies that is: whether they are the same. */
static bool snapshot_alike (const Vm *vm, const Snapshot *first, const Snapshot *second) {
  const Snap *a = (const Snap *)first, *b = (const Snap *)second;
  if (a == b || !vm->options.dependencies) return a == b;
  Effect e = effect_depending_as (second, first);
  return same_content (a, b, &e, (size_t)((u8 *)snap_tracked (a) - (const u8 *)a->frames));
}

/* All that matters but what step_spin looks at. */
static bool same_frame (const Snap *a, const Snap *b, u32 depth) {
  const Frame *f = &a->frames[depth], *h = &b->frames[depth];
  if (f->fn != h->fn || f->pc != h->pc || f->regs != h->regs || f->objects != h->objects)
    return false;
  if (!a->reg_count) return true;
  bool is_last = depth + 1 == a->depth;
  if (!f->fn->live_after || (is_last && comes_again (f, &a->head.effect)))
    return !memcmp (snap_regs (a) + f->regs, snap_regs (b) + f->regs, f->fn->regs * sizeof (u64));
  u64 needed = f->fn->live_after[f->pc].but_spin;
  for (u32 k = 0; k < f->fn->regs; k++)
    if ((needed >> k & 1) && snap_regs (a)[f->regs + k] != snap_regs (b)[f->regs + k]) return false;
  return true;
}

bool snapshot_goes_on_alike (const Snapshot *first, const Snapshot *second) {
  const Snap *a = (const Snap *)first, *b = (const Snap *)second;
  if (a == b) return true;
  Effect effect = effect_depending_as (second, first);
  if (a->depth != b->depth || a->reg_count != b->reg_count || a->tainted_end || b->tainted_end ||
      a->object_count != b->object_count || a->result_count != b->result_count ||
      a->head.tid != b->head.tid || a->allocations != b->allocations || a->created != b->created ||
      a->stack_ends != b->stack_ends || a->tls_ends != b->tls_ends ||
      a->not_reused != b->not_reused || a->keeps_effects || b->keeps_effects ||
      !effect_equal (&first->effect, &effect) || !same_pieces (&a->pieces, &b->pieces) ||
      memcmp (snap_results (a), snap_results (b), a->result_count * sizeof (u64)) ||
      memcmp (snap_objects (a), snap_objects (b), a->object_count * sizeof (u32)))
    return false;
  for (u32 k = 0; k < a->depth; k++)
    if (!same_frame (a, b, k)) return false;
  return memory_equal (a->memory, b->memory) &&
         memory_equal (a->undefined_memory, b->undefined_memory);
}

static bool frame_depends_on_all (Vm *vm, const Snap *now, const Snap *before, const Frame *f) {
  u64 needed = f->fn->live_after ? f->fn->live_after[f->pc].but_spin : ~0ull;
  for (u32 k = 0; k < f->fn->regs; k++) {
    u32 set = snap_deps (now)[f->regs + k], old = snap_deps (before)[f->regs + k];
    if ((k >= 64 || needed >> k & 1) && deps_union (&vm->deps, set, old) != set) return false;
  }
  return true;
}

bool snapshot_depends_on_all (Vm *vm, const Snapshot *now, const Snapshot *before) {
  if (LIKELY (!vm->options.dependencies)) return true;
  const Snap *a = (const Snap *)now, *b = (const Snap *)before;
  const Tracked *t = snap_tracked (a), *u = snap_tracked (b);
  if (t->changes != u->changes && !memory_equal (t->memory, u->memory)) return false;
  if (a->result_count || t->pieces || u->pieces || t->cell || u->cell) return false;
  for (u32 k = 0; k < a->depth && a->reg_count; k++)
    if (!frame_depends_on_all (vm, a, b, &a->frames[k])) return false;
  return true;
}

/* Private memory that has changed would have been a side effect, but for stack objects that have
 * ended since. */
bool snapshot_is_back (const Vm *vm, const Snapshot *now, const Snapshot *before) {
  if (!vm->options.quiet_stores) return snapshot_alike (vm, now, before);
  const Snap *a = (const Snap *)now, *b = (const Snap *)before;
  return a == b || same_but_memory (a, b, &before->effect, a->bytes - sizeof *a);
}

static Snap **state_slot (const Memo *m, const Snap *s) {
  u32 mask = m->state_capacity - 1, i = (u32)(s->hash >> 23) & mask;
  while (m->states[i] && !same_state (m->states[i], s)) i = (i + 1) & mask;
  return &m->states[i];
}

static void states_grow (Memo *m) {
  Memo old = *m;
  m->state_capacity = old.state_capacity ? old.state_capacity * 2 : 256;
  m->states = mem_zalloc (m->state_capacity * sizeof *m->states);
  for (u32 i = 0; i < old.state_capacity; i++)
    if (old.states[i]) *state_slot (m, old.states[i]) = old.states[i];
  mem_free (old.states);
}

/* The one snapshot of this state; s is given up if there is another. */
static Snap *unique_state (Vm *vm, Snap *s) {
  Memo *m = &vm->memo;
  if ((m->state_count + 1) * 3 > m->state_capacity * 2) states_grow (m);
  s->hash = state_hash (s);
  Snap **slot = state_slot (m, s);
  if (*slot) {
    snapshot_release (vm, &s->head);
    return (Snap *)snapshot_share (&(*slot)->head);
  }
  *slot = s;
  m->state_count++;
  return s;
}

static Snapshot *memo_hit (Vm *vm, Snap *next) {
  vm->stats.memo_hits++;
  return snapshot_share (&next->head);
}

static void remember (const Vm *vm, Snap *s, u64 answer, Snap *next) {
  s->memo_generation = vm->memo.generation;
  s->memo_answer = answer;
  s->memo_next = next;
}

static Snap *run_on (Vm *vm, const Snap *s, u64 answer, Undefined undefined) {
  HOLD_FACTS (vm);
  snapshot_load (vm, s);
  vm_apply_answer (vm, answer, undefined);
  vm_run (vm);
  return snapshot_save (vm);
}

/* Rare, so not remembered. */
Snapshot *vm_resume_undefined (Vm *vm, Snapshot *s, u64 answer, Undefined undefined) {
  if (!undefined.bits) return vm_resume (vm, s, answer);
  vm->stats.resumes++;
  return &run_on (vm, (Snap *)s, answer, undefined)->head;
}

Snapshot *vm_resume (Vm *vm, Snapshot *snapshot, u64 answer) {
  Snap *s = (Snap *)snapshot;
  vm->stats.resumes++;
  if (s->memo_generation == vm->memo.generation && s->memo_answer == answer)
    return memo_hit (vm, s->memo_next);
  EffectKind kind = (EffectKind)snapshot->effect.kind;
  BUG_IF (effect_is_last (&snapshot->effect));
  if (!effect_takes_answer (kind)) answer = 0;
  Snap *next = memo_get (&vm->memo, (uintptr_t)s, answer);
  if (next) {
    remember (vm, s, answer, next);
    return memo_hit (vm, next);
  }
  next = unique_state (vm, run_on (vm, s, answer, (Undefined){0}));
  memo_put (vm, (uintptr_t)s, answer, next);
  remember (vm, s, answer, next);
  return &next->head;
}

Snapshot *vm_start (Vm *vm, Tid tid, u32 function, u64 argument) {
  vm->stats.resumes++;
  u64 key = (u64)function << 17 | (u64)tid << 1 | 1;
  Snap *next = memo_get (&vm->memo, key, argument);
  if (next) return memo_hit (vm, next);
  HOLD_FACTS (vm);
  BUG_IF (tid >= vm->facts->threads.size || function >= vm->program->functions.size);
  Run *r = &vm->run;
  r->tid = tid;
  r->depth = r->objects.size = r->result_count = r->allocations = r->created = r->stack_ends =
      r->tls_ends = r->not_reused = 0;
  r->pieces = (Pieces){0};
  r->origin = (Undefined){0};
  r->effects = r->locked = r->locked_effects = 0;
  r->keeps_effects = false;
  quiet_forget (r);
  r->memory = r->undefined_memory = NULL;
  r->tracked = (Tracked){0};
  const Function *fn = &vm->program->functions.data[function];
  u64 args[3] = {tid ? argument : 0}; /* main: argc = 0, argv = NULL, envp = NULL */
  if (run_call (vm, fn, args, ARRAY_SIZE (args))) vm_run (vm);
  next = snapshot_save (vm);
  memo_put (vm, key, argument, next);
  return &next->head;
}
