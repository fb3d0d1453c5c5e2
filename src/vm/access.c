/* access.c - loads, stores and atomic accesses: answered from private memory, or handed to the
 * engine as effects.
 *
 * Every access is checked here for null, bounds and the ends of objects that this thread can know
 * of: its private frees and its own stack objects. Frees that are events are checked by the engine.
 */
#include "vm/arith.h"
#include "vm/access.h"
#include "vm/idempotent_store.h"

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
  const char *behind =
      addr & ASTRAY ? ", far outside the object that its pointer was made for" : "";
  addr &= ~ASTRAY;
  stop_error (vm, FINDING_OUT_OF_BOUNDS, vm_text_at (vm, buffer, addr, behind));
  vm->run.effect.addr = addr;
  return false;
}

static bool is_misaligned (u64 addr, u32 size) { return addr & (size - 1); }

static bool stop_misaligned (Vm *vm, u64 addr, u32 size, const char *what) {
  char after[120];
  snprintf (after, sizeof after, "`, which is %u byte%s beyond a multiple of %u",
            (u32)(addr & (size - 1)), (addr & (size - 1)) == 1 ? "" : "s", size);
  Str before = {0};
  str_printf (&before, "%s of %u bytes can be made at `", what, size);
  stop_error (vm, FINDING_MISALIGNED, vm_text_at (vm, before.text, addr, after));
  str_free (&before);
  vm->run.effect.addr = addr;
  return false;
}

bool access_is_freed (const Vm *vm, const Object *o) {
  u32 written;
  memory_read (vm->run.memory, o->base + o->size, 1, &written);
  return written;
}

/* The same variable, whose scope was entered and left. */
static bool is_out_of_scope (const Vm *vm, const Object *o) {
  const Run *r = &vm->run;
  u32 depth = o->index & 0xffff;
  if (depth >= r->objects.size || !(r->objects.data[depth] & (SCOPED | SCOPE_ENDED))) return false;
  const Object *now = &vm->facts->objects.list.data[SLOT_OBJECT (r->objects.data[depth])];
  return now->func == o->func && now->name == o->name && now->size == o->size;
}

static bool is_dead_on_stack (const Run *r, const Object *o, u32 id) {
  if (o->kind != OBJECT_STACK || o->tid != r->tid) return false;
  u32 depth = o->index & 0xffff;
  if (depth >= r->objects.size) return true;
  u32 slot = r->objects.data[depth];
  return slot & SCOPE_ENDED || SLOT_OBJECT (slot) != id;
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
                                     program_global_title (&vm->program->globals.data[o->index])));
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
  if (UNLIKELY (is_dead_on_stack (&vm->run, o, (u32)(o - vm->facts->objects.list.data)))) {
    stop_error (vm, FINDING_USE_AFTER_FREE,
                is_out_of_scope (vm, o)
                    ? "a local variable whose scope has ended can be used"
                    : "a local variable of a function that has returned can be used");
    return NULL;
  }
  return o;
}

/* The bits of those bytes whose bits are set. */
static u64 widen (u32 bytes) {
  u64 mask = 0;
  for (u32 k = 0; k < 8; k++)
    if (bytes >> k & 1) mask |= 0xffull << (8 * k);
  return mask;
}

/* An atomic access has one value as a whole; where no bit of it was ever set there is none. */
static bool check_undefined (Vm *vm, const Insn *i, u64 undefined) {
  return i->order == ORD_NA || undefined != SIZE_MASK (i->width) || undefined_stop (vm);
}

/* At most 8 bytes of private memory. */
static u64 load_bytes (Vm *vm, const Object *o, u64 addr, u32 size, u64 *undefined) {
  Run *r = &vm->run;
  u32 written, marked;
  u64 value = memory_read (r->memory, addr, size, &written), initial;
  *undefined = 0;
  if (LIKELY (written == (1u << size) - 1 && !r->undefined_memory)) return value;
  u64 mask = widen (written);
  if (!object_initial (o, addr - o->base, size, &initial)) *undefined = SIZE_MASK (size) & ~mask;
  u64 marks = memory_read (r->undefined_memory, addr, size, &marked);
  bool is_first = *undefined || !r->origin.pos;
  *undefined |= marks & widen (marked);
  if (*undefined && is_first) r->origin = (Undefined){.addr = addr, .pos = run_position (vm)};
  return (value & mask) | (initial & ~mask);
}

/* Of a pair, all bits are undefined or none counts as such. */
static bool private_load (Vm *vm, const Insn *i, const Object *o, u64 addr, u64 *value) {
  Run *r = &vm->run;
  u64 undefined, more;
  if (LIKELY (i->width <= 8))
    *value = load_bytes (vm, o, addr, i->width, &undefined);
  else {
    u64 low = load_bytes (vm, o, addr, 8, &undefined);
    u64 high = load_bytes (vm, o, addr + 8, i->width - 8u, &more);
    undefined = ~undefined || ~more ? 0 : ~0ull;
    *value = pair_intern (vm, (Pair){low, high});
  }
  if (LIKELY (!undefined)) return true;
  if (!check_undefined (vm, i, undefined)) return false;
  r->load_undefined = undefined;
  return true;
}

static bool store_bytes (Vm *vm, u64 addr, u32 size, u64 value, u64 undefined) {
  Run *r = &vm->run;
  bool changed = memory_write (&vm->pool, &r->memory, addr, size, value);
  if (undefined)
    changed |= memory_write (&vm->pool, &r->undefined_memory, addr, size, undefined);
  else
    memory_clear (&vm->pool, &r->undefined_memory, addr, size);
  return changed;
}

/* A change of a stack object is over when its function returns. */
static void note_change (Run *r, const Object *o) {
  r->effects++;
  if (o->kind != OBJECT_STACK || o->tid != r->tid) return;
  u32 depth = r->depth - 1;
  while (depth && r->frames[depth].objects > (o->index & 0xffff)) depth--;
  r->frames[depth].effects++;
}

static void private_store (Vm *vm, const Object *o, u64 addr, u32 size, u64 value, u64 undefined) {
  Pair p = pair_of_value (vm, value, size);
  bool changed = store_bytes (vm, addr, size < 8 ? size : 8, p.low, undefined);
  if (UNLIKELY (size > 8)) changed |= store_bytes (vm, addr + 8, size - 8, p.high, undefined);
  if (changed) note_change (&vm->run, o);
}

/* ---- shared accesses ------------------------------------------------------------------------- */

/* What a piece of the access at work has in common with its cell. */
typedef struct Overlap {
  u32 in_cell, size; /* first byte in the cell, bytes */
} Overlap;

static Overlap overlap_of (u64 cell, u32 cell_size, u64 addr, u32 size, u32 done) {
  u64 from = addr + done, end = addr + size, cell_end = cell + cell_size;
  return (Overlap){(u32)(from - cell), (u32)((cell_end < end ? cell_end : end) - from)};
}

/* Values of up to 16 bytes as bits. The undefined bits of a pair are all or none. */
static u128 bits_of_pair (Pair p) { return (u128)p.high << 64 | p.low; }
static Pair pair_of_bits (u128 bits) { return (Pair){(u64)bits, (u64)(bits >> 64)}; }
static u128 bits_of_value (const Vm *vm, u64 value, u32 size) {
  return bits_of_pair (pair_of_value (vm, value, size));
}
static u64 value_of_bits (Vm *vm, u128 bits, u32 size) {
  return value_of_pair (vm, pair_of_bits (bits), size);
}
static u128 bits_of_mask (u64 mask, u32 size) { return size <= 8 ? mask : mask ? ~(u128)0 : 0; }
static u64 mask_of_bits (u128 bits, u32 size) {
  return size <= 8 ? (u64)bits & SIZE_MASK (size) : ~bits ? 0 : ~0ull;
}

static u128 bytes_mask (u32 size) { return size < 16 ? ((u128)1 << (8 * size)) - 1 : ~(u128)0; }

static u128 replace_bytes (u128 old, Overlap at, u128 bytes) {
  u128 mask = bytes_mask (at.size) << (8 * at.in_cell);
  return (old & ~mask) | ((bytes << (8 * at.in_cell)) & mask);
}

static u128 take_bytes (u128 cell, Overlap at) {
  return cell >> (8 * at.in_cell) & bytes_mask (at.size);
}

static Order order_of_half (Order order, bool writes) {
  if (order == ORD_NA || order == ORD_SC) return order;
  if (writes) return order_is_release (order) ? ORD_REL : ORD_RLX;
  return order_is_acquire (order) ? ORD_ACQ : ORD_RLX;
}

static void fill_write (Vm *vm, Effect *piece, Overlap at, u128 value, u128 undefined) {
  const Pieces *p = &vm->run.pieces;
  u32 size = piece->size;
  u128 bits = replace_bytes (bits_of_pair (p->cell), at, value >> (8 * p->done));
  u128 mask = replace_bytes (bits_of_pair (p->cell_undefined), at, undefined >> (8 * p->done));
  piece->kind = EFF_WRITE;
  piece->undefined.bits = mask_of_bits (mask, size);
  piece->value = value_of_bits (vm, bits & ~bits_of_mask (piece->undefined.bits, size), size);
}

static bool stop_at_piece (Vm *vm, const Insn *i, const Effect *e, u64 cell, u32 cell_size) {
  Pieces *p = &vm->run.pieces;
  Overlap at = overlap_of (cell, cell_size, e->addr, e->size, p->done);
  p->is_update = effect_is_rmw (e);
  bool writes = p->is_update ? p->writes : e->kind == EFF_WRITE;
  bool is_merge = writes && at.size < cell_size && !p->merges;
  Effect piece = {.kind = EFF_READ,
                  .order = (u8)order_of_half ((Order)e->order, writes),
                  .size = (u8)cell_size,
                  .addr = cell,
                  .undefined = e->undefined,
                  .whole_addr = e->addr,
                  .whole_size = e->size,
                  .is_merge = is_merge};
  if (is_merge && piece.order != ORD_NA) piece.order = ORD_RLX;
  if (!writes || is_merge)
    piece.undefined.bits = 0;
  else if (p->is_update)
    fill_write (vm, &piece, at, bits_of_pair (p->value), 0);
  else
    fill_write (vm, &piece, at, bits_of_value (vm, e->value, e->size),
                bits_of_mask (e->undefined.bits, e->size));
  stop_at (vm, i, piece);
  if (writes) vm->run.effect.in_spin = false; /* no thread waits for what a store reads */
  return false;
}

bool access_piece (Vm *vm, u64 answer, u64 *result, u64 *undefined) {
  const Effect *e = &vm->run.effect;
  Pieces *p = &vm->run.pieces;
  Overlap at = overlap_of (e->addr, e->size, e->whole_addr, e->whole_size, p->done);
  u128 value = bits_of_value (vm, answer, e->size), mask = bits_of_mask (*undefined, e->size);
  if (e->is_merge) {
    p->merges = true;
    p->cell = pair_of_bits (value);
    p->cell_undefined = pair_of_bits (mask);
    return true;
  }
  if (e->kind == EFF_READ) {
    p->value = pair_of_bits (bits_of_pair (p->value) | take_bytes (value, at) << (8 * p->done));
    mask = bits_of_pair (p->undefined) | take_bytes (mask, at) << (8 * p->done);
    p->undefined = pair_of_bits (mask);
  }
  p->merges = false;
  p->cell = p->cell_undefined = (Pair){0, 0};
  p->done += at.size;
  if (p->done < e->whole_size || (p->is_update && !p->writes)) return true;
  u32 size = e->whole_size;
  *result = p->is_update ? p->old : value_of_bits (vm, bits_of_pair (p->value), size);
  *undefined = p->is_update ? 0 : mask_of_bits (bits_of_pair (p->undefined), size);
  *p = (Pieces){0};
  return false;
}

/* A shared access as an effect: whole, or the next piece of it. */
static bool stop_at_access (Vm *vm, const Insn *i, Object *o, Effect e) {
  Pieces *p = &vm->run.pieces;
  u64 offset = e.addr - o->base;
  if (UNLIKELY (vm->facts->quiet_count)) quiet_touch (vm, e.addr, e.size);
  cells_claim (vm, &o, offset, e.size, e.order != ORD_NA);
  Cell cell = cells_at (o, offset + p->done);
  if (LIKELY (cell.start == offset && cell.size == e.size)) return stop_at (vm, i, e);
  if (e.kind == EFF_LOCK || e.kind == EFF_TRYLOCK || e.kind == EFF_UNLOCK)
    return stop_unsupported (vm, "a lock in memory that is also accessed in other pieces");
  return stop_at_piece (vm, i, &e, o->base + cell.start, cell.size);
}

/* An update in pieces has been read: it ends with that, or goes on to write. */
static bool update_ends (Vm *vm, const Effect *e, u64 *old) {
  Pieces *p = &vm->run.pieces;
  u64 written;
  *old = value_of_bits (vm, bits_of_pair (p->value), e->size);
  bool writes = effect_rmw_writes (e, *old, &written);
  *p = (Pieces){0};
  if (!writes) return true;
  *p = (Pieces){
      .writes = true, .old = *old, .value = pair_of_bits (bits_of_value (vm, written, e->size))};
  return false;
}

/* Private accesses are left out of the graph because of all they do only values remain. That is not
 * so, in models with dependencies, for one that orders others by its memory order, or by coming
 * after what its address depends on. */
static bool orders_others (const Vm *vm, const Insn *i) {
  if (i->order == ORD_SC) return true;
  if (UNLIKELY (vm->options.keep_acquires) && order_is_acquire (i->order)) return true;
  return UNLIKELY (vm->options.dependencies) && (i->order > ORD_RLX || track_operand (vm, i->a));
}

/* What an access claims: what another thread does with a stack or a thread-local variable is always
 * an effect, since its owner ends it. */
static Access access_to (const Vm *vm, const Insn *i, const Object *o, Access access) {
  bool is_shared = object_is_of_another (o, vm->run.tid) || orders_others (vm, i);
  return is_shared ? ACCESS_SHARED : access;
}

bool access_load (Vm *vm, const Insn *i, u64 addr, u64 *value) {
  Object *o = object_of_access (vm, addr, i->width, "a read");
  if (UNLIKELY (!o)) return false;
  if (UNLIKELY (i->order != ORD_NA && is_misaligned (addr, i->width)))
    return stop_misaligned (vm, addr, i->width, "an atomic read");
  Access access = access_to (vm, i, o, ACCESS_READ);
  switch (object_claim (vm, &o, addr - o->base, i->width, access)) {
  case CLAIM_PRIVATE:
    if (UNLIKELY (vm->options.dependencies)) track_load (vm, i, addr);
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

/* Whoever writes a bit-field reads and writes its neighbours, too; that is not where things went
 * wrong. */
static Undefined value_to_store (Vm *vm, const Insn *i, u64 addr) {
  Undefined u = undefined_value (vm, i->b);
  if (u.bits && u.addr == addr && u.pos == run_position (vm)) {
    vm->run.origin = (Undefined){0};
    u.addr = u.pos = 0;
  }
  return u;
}

bool access_store (Vm *vm, const Insn *i, u64 addr, u64 value) {
  Object *o = object_of_access (vm, addr, i->width, "a write");
  if (UNLIKELY (!o)) return false;
  if (UNLIKELY (o->is_const)) return stop_const (vm, addr);
  if (UNLIKELY (i->order != ORD_NA && is_misaligned (addr, i->width)))
    return stop_misaligned (vm, addr, i->width, "an atomic write");
  Undefined undefined = value_to_store (vm, i, addr);
  undefined.bits &= SIZE_MASK (i->width);
  value &= SIZE_MASK (i->width) & ~undefined.bits;
  if (UNLIKELY (undefined.bits) && !check_undefined (vm, i, undefined.bits)) return false;
  bool is_fence = vm->options.keep_releases && order_is_release (i->order);
  Access access = is_fence ? ACCESS_SHARED : access_to (vm, i, o, ACCESS_WRITE);
  switch (object_claim (vm, &o, addr - o->base, i->width, access)) {
  case CLAIM_PRIVATE:
    if (UNLIKELY (vm->options.dependencies)) track_store (vm, i, addr);
    private_store (vm, o, addr, i->width, value, undefined.bits);
    if (i->width >= 8 && value) stack_note_stored (vm, value, i->width, o);
    return true;
  case CLAIM_CHANGED:
  case CLAIM_SHARED:
    break;
  }
  return stop_at_access (vm, i, o,
                         (Effect){.kind = EFF_WRITE,
                                  .order = i->order,
                                  .size = i->width,
                                  .addr = addr,
                                  .value = value,
                                  .undefined = undefined});
}

/* RMWs and locks are always events, so their memory is shared from the first one on. True if an
 * update in pieces has come to its end without writing. */
bool access_atomic (Vm *vm, const Insn *i, Effect e, const char *what, u64 *old) {
  Pieces *p = &vm->run.pieces;
  Object *o = object_of_access (vm, e.addr, e.size, what);
  if (UNLIKELY (!o)) return false;
  if (UNLIKELY (o->is_const)) return stop_const (vm, e.addr);
  if (UNLIKELY (is_misaligned (e.addr, e.size))) return stop_misaligned (vm, e.addr, e.size, what);
  if (p->done == e.size && !p->writes) {
    if (p->undefined.low | p->undefined.high) return undefined_stop (vm);
    if (update_ends (vm, &e, old)) {
      if (UNLIKELY (vm->options.dependencies)) track_update_end (vm, i);
      return true;
    }
  }
  object_claim (vm, &o, e.addr - o->base, e.size, ACCESS_SHARED);
  return stop_at_access (vm, i, o, e);
}
