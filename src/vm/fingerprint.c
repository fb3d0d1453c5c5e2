/* fingerprint.c - a number for what a thread will do, whatever it is told.
 *
 * Snapshots of equal states are one only as long as the memo lives, and states that a thread cannot
 * tell apart from here on may differ: in the count of its side effects, of which step_spin only
 * asks whether it has changed, and in what lies in registers and memory that is not read again.
 */
#include "base/fingerprint.h"
#include "vm/snapshot.h"

static void add_effect (Fingerprint *f, const Effect *e) {
  fingerprint_add (f, e->kind | (u64)e->order << 8 | (u64)e->order_fail << 16 | (u64)e->size << 24 |
                          (u64)e->rmw << 32 | (u64)e->error << 40 | (u64)e->in_spin << 48 |
                          (u64)e->is_unused << 49 | (u64)e->is_merge << 50 |
                          (u64)e->whole_size << 56);
  fingerprint_add (f, e->pos | (u64)e->func << 32);
  fingerprint_add (f, e->child);
  fingerprint_add (f, e->addr);
  fingerprint_add (f, e->value);
  fingerprint_add (f, e->expected);
  fingerprint_add (f, e->undefined.bits);
  fingerprint_add (f, e->whole_addr);
}

/* ---- registers ---- */

/* Of a loop head that its thread may come back to: whether there was a side effect since, and if
 * not, which mutex was held there, and what the registers were. */
static void add_shadow (Fingerprint *f, const Vm *vm, const Insn *spin, const u64 *regs, u64 now) {
  const u64 *shadow = regs + spin->b;
  u64 then = shadow[spin->nargs];
  bool is_same = (u32)then == (u32)now; /* the mutex is above: effects_now */
  fingerprint_add (f, is_same);
  if (is_same) fingerprint_add (f, then >> 32);
  for (u32 k = 0; is_same && k < spin->nargs; k++) fingerprint_add (f, shadow[k]);
  if (vm->options.unroll || vm->patience) fingerprint_add (f, shadow[spin->nargs + 1]);
}

static u64 mask_of_shadow (const Insn *spin) {
  u32 n = spin->nargs + 2u;
  return (n >= 64 ? ~0ull : (1ull << n) - 1) << spin->b;
}

static bool is_spin (const Insn *i) { return i->op == OP_SPIN && i->flags & INSN_SPIN; }

/* The registers that hold shadows where the function is. Loops may use the same registers one after
 * the other; false if it is not clear whose they are. */
static bool find_shadows (const Frame *frame, u64 *shadows) {
  const Function *fn = frame->fn;
  *shadows = 0;
  if (!fn->live_after) return false;
  const LiveSet *live = &fn->live_after[frame->pc];
  for (u32 k = 0; k < fn->code.size; k++) {
    const Insn *i = &fn->code.data[k];
    if (!is_spin (i) || (mask_of_shadow (i) & ~(live->all & ~live->but_spin))) continue;
    if (*shadows & mask_of_shadow (i)) return false;
    *shadows |= mask_of_shadow (i);
  }
  return true;
}

/* `now`: the count of side effects when the functions that this one has called have returned. */
static void add_registers (Fingerprint *f, const Vm *vm, const Frame *frame, const u64 *all,
                           u64 now) {
  const Function *fn = frame->fn;
  const u64 *regs = all + frame->regs;
  u64 shadows;
  if (!find_shadows (frame, &shadows)) {
    shadows = 0;
    fingerprint_add (f, now);
  }
  for (u32 k = 0; shadows && k < fn->code.size; k++) {
    const Insn *i = &fn->code.data[k];
    if (is_spin (i) && !(mask_of_shadow (i) & ~shadows)) add_shadow (f, vm, i, regs, now);
  }
  for (u32 k = 0; k < fn->regs; k++)
    if (k >= 64 || !(shadows >> k & 1)) fingerprint_add (f, regs[k]);
}

static bool has_just_locked (const Snap *s) { return s->locked && s->locked_effects == s->effects; }

static void add_frames (Fingerprint *f, const Vm *vm, const Snap *s) {
  const u64 *regs = snapshot_registers (s);
  u64 now = s->effects, held = has_just_locked (s) ? s->locked << 32 : 0;
  bool takes_back = vm->options.quiet_stores && !s->keeps_effects;
  fingerprint_add (f, held);
  if (s->keeps_effects) fingerprint_add (f, now);
  for (u32 k = s->depth; k-- > 0;) {
    const Frame *frame = &s->frames[k];
    fingerprint_add (f, (u64)(frame->fn - vm->program->functions.data) << 32 | frame->pc);
    fingerprint_add (f, frame->objects);
    add_registers (f, vm, frame, regs, now);
    if (takes_back) now -= frame->effects;
  }
}

/* ---- private memory ---- */

static Fingerprint print_page (const Page *p) {
  Fingerprint f = {p->number, 0};
  for (u32 i = 0; i < 64; i += 8) {
    u64 word, written = p->written >> i & 0xff, mask = 0;
    if (!written) continue;
    memcpy (&word, p->bytes + i, sizeof word);
    for (u32 k = 0; k < 8; k++)
      if (written >> k & 1) mask |= 0xffull << 8 * k;
    fingerprint_add (&f, written << 8 | i);
    fingerprint_add (&f, word & mask);
  }
  return f;
}

static void put_pages (Fingerprint *set, const Node *n) {
  if (!n) return;
  if (n->is_page) {
    const Page *p = (const Page *)n;
    if (p->written) fingerprint_put (set, print_page (p));
    return;
  }
  for (u32 i = 0; i < 8; i++) put_pages (set, memory_child (n, i));
}

static void add_memory (Fingerprint *f, const Node *root) {
  Fingerprint pages = {0};
  put_pages (&pages, root);
  fingerprint_join (f, pages);
}

/* ---- all of it ---- */

static void add_pair (Fingerprint *f, Pair p) {
  fingerprint_add (f, p.low);
  fingerprint_add (f, p.high);
}

static void add_pieces (Fingerprint *f, const Pieces *p) {
  fingerprint_add (f,
                   p->done | (u64)p->is_update << 32 | (u64)p->writes << 33 | (u64)p->merges << 34);
  add_pair (f, p->value);
  add_pair (f, p->undefined);
  add_pair (f, p->cell);
  add_pair (f, p->cell_undefined);
  fingerprint_add (f, p->old);
}

/* Of a thread that has ended, which has no registers any more. */
static void add_end (Fingerprint *f, const Vm *vm, const Snap *s) {
  fingerprint_add (f, s->depth);
  for (u32 k = 0; k < s->depth; k++)
    fingerprint_add (f,
                     (u64)(s->frames[k].fn - vm->program->functions.data) << 32 | s->frames[k].pc);
  add_memory (f, s->memory);
}

static Fingerprint print_state (const Vm *vm, const Snap *s) {
  Fingerprint f = {s->head.tid, 1};
  add_effect (&f, &s->head.effect);
  if (effect_is_last (&s->head.effect)) {
    if (vm->options.keep_ends) add_end (&f, vm, s);
    return f;
  }
  fingerprint_add (&f, s->allocations | (u64)s->created << 32);
  fingerprint_add (&f, s->stack_ends | (u64)s->tls_ends << 32);
  fingerprint_add (&f, s->not_reused | (u64)s->depth << 32);
  fingerprint_add (&f, s->object_count | (u64)s->result_count << 32);
  for (u32 i = 0; i < MAX_KNOWN; i++) {
    fingerprint_add (&f, s->known[i].key);
    fingerprint_add (&f, s->known[i].value);
  }
  add_pieces (&f, &s->pieces);
  add_frames (&f, vm, s);
  snapshot_add_rest (s, &f);
  add_memory (&f, s->memory);
  add_memory (&f, s->undefined_memory);
  return f;
}

Fingerprint snapshot_fingerprint (const Vm *vm, Snapshot *snapshot) {
  Snap *s = (Snap *)snapshot;
  if (!s->print.a && !s->print.b) s->print = print_state (vm, s);
  return s->print;
}

static bool function_can_return (const Function *f) {
  for (u32 k = 0; k < f->code.size; k++)
    if (f->code.data[k].op == OP_RET) return true;
  return false;
}

bool snapshot_can_return (const Snapshot *snapshot) {
  const Snap *s = (const Snap *)snapshot;
  for (u32 k = 0; k < s->depth; k++)
    if (!function_can_return (s->frames[k].fn)) return false;
  return true;
}
