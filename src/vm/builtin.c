/* builtin.c - what the program asks of the VM itself: threads, locks, the heap, choices, output. */
#include <math.h>
#include "base/plain.h"
#include "vm/arith.h"
#include "vm/access.h"
#include "vm/assumed.h"
#include "vm/builtin.h"
#include "vm/idempotent_store.h"

static void peek_string (const Vm *vm, u64 addr, char *buffer, size_t size);

/* Of several places the first one. */
static void note_creation (Vm *vm, Tid child) {
  u32 pos = run_position (vm), known = vm->facts->threads.data[child].created_at;
  if (pos && (!known || pos < known)) fact_learn (vm, (Fact){FACT_CREATED, {child, pos}});
}

static void note_collector (Vm *vm, Tid t) {
  if (!vm->facts->threads.data[t].is_collected) fact_learn (vm, (Fact){FACT_COLLECTED, {t}});
}

void thread_note_self (Vm *vm, Tid t) {
  if (!vm->facts->threads.data[t].knows_itself) fact_learn (vm, (Fact){FACT_KNOWS_ITSELF, {t}});
}

static bool builtin_create (Vm *vm, const Insn *i, const u64 *args) {
  const Function *fn = vm_function_at (vm, args[0]);
  if (!fn)
    return stop_error (
        vm, FINDING_OUT_OF_BOUNDS,
        "a thread can be started with a pointer to something that is not a function");
  Effect e = {.kind = EFF_CREATE, .value = args[1]};
  e.func = (u32)(fn - vm->program->functions.data);
  if (!vm_child (vm, vm->run.tid, vm->run.created, &e.child))
    return stop_unsupported (vm, "too many threads");
  note_creation (vm, e.child);
  return stop_at (vm, i, e);
}

static bool is_thread (const Vm *vm, u64 handle) {
  return handle && handle <= vm->facts->threads.size;
}

static bool builtin_join (Vm *vm, const Insn *i, u64 handle) {
  if (!is_thread (vm, handle))
    return stop_error (vm, FINDING_LOCK_MISUSE, "something that is not a thread can be joined");
  note_collector (vm, (Tid)(handle - 1));
  return stop_at (vm, i, (Effect){.kind = EFF_JOIN, .child = (Tid)(handle - 1)});
}

static bool builtin_detach (Vm *vm, u64 handle) {
  if (!is_thread (vm, handle))
    return stop_error (vm, FINDING_LOCK_MISUSE, "something that is not a thread can be detached");
  note_collector (vm, (Tid)(handle - 1));
  return true;
}

static bool builtin_mutex (Vm *vm, const Insn *i, EffectKind kind, u64 addr, u32 part) {
  Effect e = {.kind = (u8)kind,
              .func = part,
              .order = ORD_ACQ,
              .order_fail = ORD_RLX,
              .size = 4,
              .addr = addr,
              .value = vm->run.tid + 1ull};
  if (kind == EFF_UNLOCK) {
    e.order = ORD_REL;
    e.value = 0;
  }
  u64 old;
  return access_atomic (vm, i, e, kind == EFF_UNLOCK ? "an unlock" : "a lock", &old);
}

static bool builtin_take (Vm *vm, const Insn *i, u64 addr, u64 *result) {
  Effect e = {.kind = EFF_RMW, .order = ORD_ACQ, .size = 4, .rmw = RMW_TAKE, .addr = addr};
  e.value = 1;
  return access_atomic (vm, i, e, "an update", result);
}

enum { SHADOW_BYTES = 256 };

static bool builtin_shadow (Vm *vm, u64 addr, u64 *result) {
  const Object *o = objects_find (vm, addr, 4);
  if (!o) { /* the access to come says what is wrong */
    *result = addr;
    return true;
  }
  u32 offset = (u32)(addr - o->base), index = (u32)(o - vm->facts->objects.list.data);
  Object key = {.kind = OBJECT_SHADOW, .tid = offset, .index = index, .size = SHADOW_BYTES};
  u32 id = objects_intern (vm, key);
  *result = vm->facts->objects.list.data[id].base;
  return true;
}

static u64 word_state (Vm *vm, u64 addr) {
  enum { NO_VALUE, MINE, SHARED };
  Object *o = objects_find (vm, addr, 4);
  if (!o) return SHARED; /* the access to come says what is wrong */
  if (object_claim (vm, &o, addr - o->base, 4, ACCESS_READ) != CLAIM_PRIVATE) return SHARED;
  u32 written;
  u64 initial;
  memory_read (vm->run.memory, addr, 4, &written);
  return written || object_initial (o, addr - o->base, 4, &initial) ? MINE : NO_VALUE;
}

static bool builtin_misuse (Vm *vm, u64 lock, u64 thread, u64 text) {
  char what[256];
  peek_string (vm, text, what, sizeof what);
  if (thread > 1)
    return stop_error (vm, FINDING_LOCK_MISUSE, vm_text (vm, "t%u%s", (u32)thread - 1, what));
  if (thread) return stop_error (vm, FINDING_LOCK_MISUSE, vm_text (vm, "main%s", what));
  stop_error (vm, FINDING_LOCK_MISUSE,
              lock ? vm_text_at (vm, "`", lock, what) : vm_text (vm, "%s", what));
  vm->run.effect.addr = lock;
  return false;
}

static u64 count_effects (Vm *vm, u64 set) {
  vm->run.keeps_effects = true;
  if (set) vm->run.effects = set;
  return vm->run.effects;
}

/* ---- library objects ------------------------------------------------------------------------ */

/* Uses of an object that was only initialised early need not look whether it was. */
u64 lives_add (Vm *vm, u64 addr, u64 when) {
  u64 known = 0;
  map_get (&vm->facts->lives, addr, &known);
  map_put (&vm->facts->lives, addr, known | when);
  if ((known & LIFE_EARLY) && (when & ~known)) vm->facts->sharing_changed = true;
  return 0;
}

static bool is_alone (const Vm *vm) { return !vm->run.tid && !vm->run.created; }

static u64 life_at (const Vm *vm, u64 addr) {
  u64 known = 0;
  map_get (&vm->facts->lives, addr, &known);
  return known;
}

static void note_life (Vm *vm, u64 addr, u64 when) {
  if (when & ~life_at (vm, addr)) fact_learn (vm, (Fact){FACT_LIFE, {addr, when}});
}

static bool builtin_life (Vm *vm, u64 addr, u64 what, u64 *result) {
  enum { LOOK, INITIALISE, END };
  u64 before = life_at (vm, addr);
  if (what == INITIALISE) note_life (vm, addr, is_alone (vm) ? LIFE_EARLY : LIFE_LATE);
  if (what == END) note_life (vm, addr, LIFE_LATE);
  if ((before & LIFE_EARLY) && life_at (vm, addr) != before) return stop_sharing_changed (vm);
  *result = (life_at (vm, addr) | life_at (vm, 0)) == LIFE_EARLY;
  return true;
}

/* What main does before it starts threads is the same in every execution, unless it chooses. */
static bool stop_at_choice (Vm *vm, const Insn *i, Effect e) {
  if (is_alone (vm)) note_life (vm, 0, LIFE_LATE);
  return stop_at (vm, i, e);
}

/* ---- heap ------------------------------------------------------------------------------------ */

enum { MAKER_NEW = 1, MAKER_NEW_ARRAY = 2 }; /* Object.func of a block, else 0 */

/* If addresses may be used again, malloc may return a block of the same size that the thread has
 * freed itself, as an allocator does that keeps a list a thread. For each of them there is a
 * choice; in the end the block is a new one. */
enum { FREED_AT = 16 }; /* after a block: the thread has freed it and has not got it back */

static bool reuses_addresses (const Vm *vm) {
  return vm->options.lifted & ASSUMPTION_BIT (ASSUMPTION_ADDRESSES_FRESH);
}

static void note_freed (Vm *vm, const Object *o) {
  if (reuses_addresses (vm))
    memory_write (&vm->pool, &vm->run.memory, o->base + o->size + FREED_AT, 1, 1);
}

static bool finds_freed (Vm *vm, ObjectKind kind, u64 align, u64 size, u32 maker, u64 *addr) {
  const ObjectTable *t = &vm->facts->objects;
  u32 written, from = vm->run.not_reused;
  vm->run.not_reused = 0;
  for (u32 id = from; reuses_addresses (vm) && kind == OBJECT_MALLOC && id < t->list.size; id++) {
    const Object *o = &t->list.data[id];
    if (o->kind != OBJECT_MALLOC || o->size != size || o->align != align || o->func != maker)
      continue;
    *addr = o->base;
    memory_read (vm->run.memory, o->base + o->size + FREED_AT, 1, &written);
    if (written) return true;
  }
  return false;
}

bool builtin_reuse (Vm *vm, const Effect *e, u64 answer) {
  Run *r = &vm->run;
  const Object *o = objects_below (vm, e->value);
  if (!answer) {
    r->not_reused = (u32)(o - vm->facts->objects.list.data) + 1;
    return false;
  }
  u64 all = o->size + FREED_AT + 1; /* with the marks */
  memory_clear (&vm->pool, &r->memory, o->base, all);
  memory_clear (&vm->pool, &r->undefined_memory, o->base, o->size);
  quiet_forget_in (r, o->base, o->size);
  leak_note_allocation (vm, o, run_position (vm));
  r->effects++;
  return true;
}

static u64 allocate (Vm *vm, u32 kind, u32 maker, u64 align, u64 size) {
  Run *r = &vm->run;
  reuse_note_allocation (vm);
  Object key = {.kind = (u8)kind,
                .tid = r->tid,
                .index = r->allocations++,
                .size = size,
                .align = (u32)align,
                .func = maker};
  u32 id = objects_intern (vm, key);
  u32 pos = run_position (vm), known = vm->facts->objects.list.data[id].origin;
  if (known != pos && known != ORIGIN_MANY && !reuses_addresses (vm)) /* else there are many */
    fact_learn (vm, (Fact){FACT_ORIGIN, {id, pos}});
  const Object *o = &vm->facts->objects.list.data[id];
  leak_note_allocation (vm, o, pos);
  r->effects++;
  return o->base;
}

u64 vm_answer_allocation (Vm *vm, const Effect *e, u64 fails) {
  return fails ? 0 : allocate (vm, e->child & 0xff, e->child >> 8, e->addr, e->value);
}

static bool builtin_alloc (Vm *vm, const Insn *i, ObjectKind kind, u64 how, u64 align, u64 size,
                           u64 *result) {
  u32 maker = how & (MAKER_NEW | MAKER_NEW_ARRAY);
  if (size > MAX_OBJECT_SIZE) return stop_unsupported (vm, "an allocation of more than 1 GB");
  if (!align || align & (align - 1) || align > MAX_OBJECT_SIZE)
    return stop_unsupported (vm, "an alignment that is not a power of two");
  Effect reuse = {.kind = EFF_NONDET, .size = 8, .expected = 1, .func = NONDET_REUSE};
  if (finds_freed (vm, kind, align < 16 ? 16 : align, size, maker, &reuse.value))
    return stop_at_choice (vm, i, reuse);
  Assumption succeeds =
      maker == how && maker ? ASSUMPTION_NEW_SUCCEEDS : ASSUMPTION_MALLOC_SUCCEEDS;
  if (vm_is_lifted (vm, succeeds))
    return stop_at_choice (vm, i,
                           (Effect){.kind = EFF_NONDET,
                                    .size = 1,
                                    .expected = 1,
                                    .func = NONDET_ALLOCATION,
                                    .child = kind | maker << 8,
                                    .addr = align,
                                    .value = size});
  *result = allocate (vm, kind, maker, align, size);
  return true;
}

/* The heap object that starts at addr, or NULL having stopped with `ended` if this thread has freed
 * it. */
static Object *heap_object (Vm *vm, u64 addr, FindingKind ended, const char *how) {
  Object *o = objects_below (vm, addr);
  if (!o || o->base != addr || !object_is_heap (o)) {
    bool is_inside = o && object_is_heap (o) && addr - o->base < o->size;
    stop_error (vm, FINDING_INVALID_FREE,
                vm_text_at (vm, "`", addr,
                            is_inside ? "` can be freed, although it is not the start of a block"
                                      : "` can be freed, although it was not allocated"));
    vm->run.effect.addr = addr;
    return NULL;
  }
  if (o->freed_by && o->freed_by != 1 + vm->run.tid) {
    object_claim_freed (vm, o);
    stop_sharing_changed (vm);
    return NULL;
  }
  if (o->freed_by && access_is_freed (vm, o)) {
    stop_error (vm, ended, vm_text_at (vm, "`", addr, how));
    vm->run.effect.addr = addr;
    return NULL;
  }
  return o;
}

static bool stop_mismatch (Vm *vm, const Object *o, u64 maker) {
  static const char *const makers[] = {"malloc", "new", "new[]"};
  static const char *const ends[] = {"free", "delete", "delete[]"};
  u64 addr = o->base; /* it may move */
  const char *how = vm_text (vm, "` can be freed by %s, although it was allocated by %s",
                             ends[maker % 3], makers[o->func % 3]);
  stop_error (vm, FINDING_INVALID_FREE, vm_text_at (vm, "`", addr, how));
  vm->run.effect.addr = addr;
  return false;
}

static bool builtin_free (Vm *vm, const Insn *i, u64 addr, u64 maker) {
  if (!addr) return true;
  Object *o = heap_object (vm, addr, FINDING_DOUBLE_FREE, "` can be freed twice");
  if (!o) return false;
  if (o->func != maker) return stop_mismatch (vm, o, maker);
  reuse_note_free (vm);
  switch (object_claim_free (vm, &o)) {
  case CLAIM_PRIVATE:
    memory_write (&vm->pool, &vm->run.memory, o->base + o->size, 1, 1);
    note_freed (vm, o);
    vm->run.effects++;
    return true;
  case CLAIM_CHANGED:
    return stop_sharing_changed (vm);
  case CLAIM_SHARED:
    break;
  }
  note_freed (vm, o);
  return stop_at (vm, i, (Effect){.kind = EFF_FREE, .addr = addr, .value = o->size});
}

static bool builtin_object_size (Vm *vm, u64 addr, u64 *result) {
  const Object *o =
      heap_object (vm, addr, FINDING_USE_AFTER_FREE, "` can be reallocated after it was freed");
  if (!o) return false;
  *result = o->size;
  return true;
}

static bool builtin_stack_reset (Vm *vm, const Insn *i, u64 mark) {
  const Run *r = &vm->run;
  u64 keep = mark - 1;
  bool is_mark = keep >= r->frames[r->depth - 1].objects && keep <= r->objects.size;
  return !is_mark || stack_end_objects (vm, i, (u32)keep);
}

u64 participants_add (Vm *vm, u64 addr, u64 threads) {
  u64 known = 0;
  map_get (&vm->facts->participants, addr, &known);
  if ((known | threads) != known) {
    map_put (&vm->facts->participants, addr, known | threads);
    vm->facts->sharing_changed = true;
  }
  return 0;
}

/* Who takes part is learned like sharing: by starting over. A count of -1 spoils it for all. */
static bool builtin_turn (Vm *vm, u64 addr, u64 count, u64 *result) {
  u64 known = 0, me = 1ull << (vm->run.tid & 63);
  *result = ~0ull;
  if (!vm->options.in_turn) return true;
  map_get (&vm->facts->participants, addr, &known);
  u64 now = count == ~0ull || vm->run.tid > 63 ? ~0ull : known | me;
  if (now != known) {
    fact_learn (vm, (Fact){FACT_TURN, {addr, now}});
    return stop_sharing_changed (vm);
  }
  if ((u64)__builtin_popcountll (known) != count) return true;
  thread_note_self (vm, vm->run.tid);
  *result = (u64)__builtin_popcountll (known & (me - 1));
  return true;
}

/* ---- choices --------------------------------------------------------------------------------- */

static bool fits (i64 value, u32 bytes, bool is_signed) {
  u32 width = bytes * 8;
  if (is_signed)
    return width == 64 || (value >= -(1ll << (width - 1)) && value < 1ll << (width - 1));
  return value >= 0 && (width == 64 || value < 1ll << width);
}

u64 vm_nondet_value (const Vm *vm, const Effect *e, u64 k) {
  if (e->func == NONDET_ALLOCATION) return k;
  if (effect_may_reuse (e)) return k ? e->value : 0;
  if (e->func <= NONDET_ASSUMED) return (e->value + k) & SIZE_MASK (e->size);
  for (u32 n = 0; n < vm->options.nondet_set_size; n++) {
    i64 value = vm->options.nondet_set[n];
    if (fits (value, e->size, e->func == NONDET_SIGNED_SET) && !k--)
      return (u64)value & SIZE_MASK (e->size);
  }
  BUG ("a value that is not in the set");
}

static void add_other (const Effect *e, u64 value, VmValues *out) {
  value &= SIZE_MASK (e->size);
  if (((value - e->value) & SIZE_MASK (e->size)) <= e->expected) return;
  for (u32 i = 0; i < out->size; i++)
    if (out->data[i] == value) return;
  vec_push (out, value);
}

static void add_neighbours (const Effect *e, u64 value, VmValues *out) {
  enum { MOST_VALUES = 512 };
  if (out->size >= MOST_VALUES) return;
  for (u64 k = 0; k < 3; k++) add_other (e, value + 1 - k, out);
}

static void add_initial_values (const Effect *e, const Global *g, VmValues *out) {
  enum { MOST_WORDS = 16 };
  u64 value;
  for (u64 at = 0; g->init && at + e->size <= g->size && at < MOST_WORDS * e->size; at += e->size) {
    value = 0;
    memcpy (&value, g->init + at, e->size);
    add_neighbours (e, value, out);
  }
}

void vm_nondet_others (const Vm *vm, const Effect *e, VmValues *out) {
  const Program *p = vm->program;
  if (e->kind != EFF_NONDET || e->func != NONDET_ASSUMED) return;
  for (u32 i = 0; i < p->globals.size; i++) add_initial_values (e, &p->globals.data[i], out);
  for (u32 i = 0; i < p->consts.size; i++)
    if (p->consts.data[i].kind == CONST_INT) add_neighbours (e, p->consts.data[i].value, out);
  for (u32 f = 0; f < p->functions.size; f++)
    for (u32 i = 0; i < p->functions.data[f].cases.size; i++)
      add_neighbours (e, p->functions.data[f].cases.data[i].value, out);
  for (u32 bit = 0; bit < 8u * e->size; bit++) add_neighbours (e, 1ull << bit, out);
}

static bool nondet_of_set (Vm *vm, const Insn *i, u32 bytes, bool is_signed) {
  u64 count = 0;
  for (u32 n = 0; n < vm->options.nondet_set_size; n++)
    count += fits (vm->options.nondet_set[n], bytes, is_signed);
  if (!count)
    return stop_unsupported (vm, "no nondeterministic value of the set given fits the type");
  return stop_at_choice (vm, i,
                         (Effect){.kind = EFF_NONDET,
                                  .size = (u8)bytes,
                                  .expected = count - 1,
                                  .func = is_signed ? NONDET_SIGNED_SET : NONDET_UNSIGNED_SET});
}

static bool builtin_nondet (Vm *vm, const Insn *i, u64 bytes, bool is_signed) {
  Effect e = {.kind = EFF_NONDET, .size = 1, .expected = 1};
  if (!bytes) return stop_at_choice (vm, i, e);
  if (bytes > 8) return stop_unsupported (vm, "a nondeterministic value of more than 8 bytes");
  if (vm->options.nondet_set_size) return nondet_of_set (vm, i, (u32)bytes, is_signed);
  u32 width = (u32)bytes * 8;
  i128 type_low = is_signed ? -((i128)1 << (width - 1)) : 0;
  i128 type_high = ((i128)1 << (is_signed ? width - 1 : width)) - 1;
  i128 low = vm->options.nondet_low, high = vm->options.nondet_high;
  if (low < type_low) low = type_low;
  if (high > type_high) high = type_high;
  if (low > high) return stop_unsupported (vm, "no nondeterministic value is in the range given");
  e.size = (u8)bytes;
  e.value = (u64)low;
  e.expected = (u64)(high - low);
  bool is_all = low == type_low && high == type_high;
  if (!is_all && !vm_is_lifted (vm, ASSUMPTION_NONDET_RANGE)) e.func = NONDET_ASSUMED;
  return stop_at_choice (vm, i, e);
}

/* ---- output ---------------------------------------------------------------------------------- */

/* One byte as far as the thread can see it alone. */
static bool peek (const Vm *vm, u64 addr, char *c) {
  const Object *o = objects_find (vm, addr, 1);
  if (!o) return false;
  u32 written;
  u64 value = memory_read (vm->run.memory, addr, 1, &written);
  if (!written && !object_initial (o, addr - o->base, 1, &value)) return false;
  *c = (char)value;
  return true;
}

static void peek_string (const Vm *vm, u64 addr, char *buffer, size_t size) {
  size_t n = 0;
  while (n + 1 < size && peek (vm, addr + n, buffer + n) && buffer[n]) n++;
  buffer[n] = 0;
}

/* One conversion of a format, from % to its letter, with its argument. Returns where it ends. */
static const char *output_conversion (const Vm *vm, const char *f, const u64 *args, u32 *used,
                                      u32 count, Str *out) {
  char spec[48] = "%", text[256];
  size_t n = 1;
  u32 longs = 0;
  for (f++; *f && strchr ("-+ #0123456789.", *f) && n < 32; f++) spec[n++] = *f;
  for (; *f && strchr ("hljztL", *f); f++) longs += *f != 'h';
  if (!*f) return f;
  if (*f == '%') {
    str_add (out, "%");
    return f + 1;
  }
  u64 v = *used < count ? args[(*used)++] : 0;
  if (!longs && strchr ("di", *f)) v = (u64)sign_extend (v, 32);
  if (strchr ("diuxXo", *f)) {
    memcpy (spec + n, (char[]){'l', 'l', *f, 0}, 4);
    snprintf (text, sizeof text, spec, v);
  } else if (strchr ("fFeEgGaA", *f)) {
    memcpy (spec + n, (char[]){*f, 0}, 2);
    snprintf (text, sizeof text, spec, float_of (v, 64));
  } else if (*f == 's')
    peek_string (vm, v, text, sizeof text);
  else if (*f == 'c')
    snprintf (text, sizeof text, "%c", (int)(v & 0xff));
  else
    snprintf (text, sizeof text, "0x%llx", (unsigned long long)v);
  str_add (out, text);
  return f + 1;
}

static void builtin_output (const Vm *vm, const u64 *args, u32 count) {
  char format[512];
  Str out = {0};
  u32 used = 1;
  if (!count) return;
  peek_string (vm, args[0], format, sizeof format);
  for (const char *f = format; *f;) {
    if (*f == '%')
      f = output_conversion (vm, f, args, &used, count, &out);
    else
      str_add_n (&out, f++, 1);
  }
  plain_lines (&out.text);
  if (out.text) fputs (out.text, stderr);
  str_free (&out);
}

/* ---- floating point -------------------------------------------------------------------------- */

static u64 builtin_math (u64 row, u64 a, u64 b) {
  static const struct {
    double (*one) (double);
    double (*two) (double, double);
  } functions[] = {
#define MATH1(name) {.one = name},
#define MATH2(name) {.two = name},
#include "ir/math.def"
#undef MATH1
#undef MATH2
  };
  if (row >= ARRAY_SIZE (functions)) return 0;
  double x = float_of (a, 64), y = float_of (b, 64);
  return float_bits (functions[row].one ? functions[row].one (x) : functions[row].two (x, y), 64);
}

/* "%.Ne" and the like; at most 1000 digits after the point. */
static u64 builtin_float_text (u64 value, u64 spec, u64 part) {
  char text[2048] = "", format[] = "%.*?";
  u64 precision = spec >> 8, result = 0;
  format[3] = (char)(spec & 0xff);
  if (strchr ("fFeEgGaA", format[3]) && part < sizeof text / 8 - 1) {
    snprintf (text, sizeof text, format, (int)(precision < 1000 ? precision : 1000),
              float_of (value, 64));
    for (u32 k = 0; k < 8 && text[8 * part + k]; k++)
      result |= (u64)(u8)text[8 * part + k] << (8 * k);
  }
  return result;
}

static bool builtin_assert_fail (Vm *vm, u64 addr) {
  char buffer[512] = "";
  if (addr) peek_string (vm, addr, buffer, sizeof buffer);
  const char *text = *buffer == '`'
                         ? vm_text (vm, "%s", buffer) /* a sentence of the run-time library's */
                     : *buffer ? vm_text (vm, "assertion `%s` can fail", buffer)
                               : finding_kind_meaning (FINDING_ASSERT);
  return stop_error (vm, FINDING_ASSERT, text);
}

static bool builtin_terminate (Vm *vm, u64 addr) {
  char buffer[128] = "";
  peek_string (vm, addr, buffer, sizeof buffer);
  return stop_error (vm, FINDING_ABORT, vm_text (vm, "%s", buffer));
}

static Undefined undefined_argument (const Vm *vm, const Insn *i) {
  return undefined_value (vm, vm->run.frames[vm->run.depth - 1].fn->args.data[i->first]);
}

bool builtin_run (Vm *vm, const Insn *i, const u64 *args, u64 *result) {
  *result = 0;
  switch ((Builtin)i->sub) {
  case BUILTIN_THREAD_CREATE:
    return builtin_create (vm, i, args);
  case BUILTIN_THREAD_JOIN:
    return builtin_join (vm, i, args[0]);
  case BUILTIN_THREAD_EXIT:
    if (!stack_end_objects (vm, i, 0)) return false;
    if (run_at_end (vm, args[0], undefined_argument (vm, i).bits)) return true;
    if (!stack_end_thread_locals (vm, i)) return false;
    return stop_at (
        vm, i,
        (Effect){.kind = EFF_END, .value = args[0], .undefined = undefined_argument (vm, i)});
  case BUILTIN_UNWIND:
    return run_unwind (vm, i, args[0]);
  case BUILTIN_CAUGHT: /* the call has returned; unwind goes past this */
    return true;
  case BUILTIN_THREAD_DETACH:
    return builtin_detach (vm, args[0]);
  case BUILTIN_AT_END:
    memory_write (&vm->pool, &vm->run.memory, AT_END_ADDRESS, 8, args[0]);
    return true;
  case BUILTIN_TURN:
    return builtin_turn (vm, args[0], args[1], result);
  case BUILTIN_THREAD_NUMBER:
  case BUILTIN_THREAD_SELF:
    *result = vm->run.tid + 1ull;
    if (i->sub == BUILTIN_THREAD_SELF || vm->options.numbers_tell)
      thread_note_self (vm, vm->run.tid);
    return true;
  case BUILTIN_MUTEX_LOCK:
    return builtin_mutex (vm, i, EFF_LOCK, args[0], 0);
  case BUILTIN_MUTEX_TRYLOCK:
    return builtin_mutex (vm, i, EFF_TRYLOCK, args[0], 0);
  case BUILTIN_MUTEX_UNLOCK:
    return builtin_mutex (vm, i, EFF_UNLOCK, args[0], 0);
  case BUILTIN_LOCK_PART:
    return builtin_mutex (vm, i, EFF_LOCK, args[0], (u32)args[1]);
  case BUILTIN_TAKE:
    return builtin_take (vm, i, args[0], result);
  case BUILTIN_SHADOW:
    return builtin_shadow (vm, args[0], result);
  case BUILTIN_WORD_STATE:
    *result = word_state (vm, args[0]);
    return true;
  case BUILTIN_LIFE:
    return builtin_life (vm, args[0], args[1], result);
  case BUILTIN_IS_DEFINED:
    *result = !undefined_argument (vm, i).bits;
    undefined_result (vm, i, 0);
    return true;
  case BUILTIN_MISUSE:
    return builtin_misuse (vm, args[0], 0, args[1]);
  case BUILTIN_THREAD_MISUSE:
    return builtin_misuse (vm, 0, args[0], args[1]);
  case BUILTIN_EFFECTS:
    *result = count_effects (vm, args[0]);
    return true;
  case BUILTIN_SCOPE_BEGIN:
    *result = args[0];
    return step_scope_begin (vm, i, result);
  case BUILTIN_SCOPE_END:
    return step_scope_end (vm, i, args[0]);
  case BUILTIN_STACK_MARK:
    *result = vm->run.objects.size + 1ull;
    return true;
  case BUILTIN_STACK_RESET:
    return builtin_stack_reset (vm, i, args[0]);
  case BUILTIN_MALLOC:
    return builtin_alloc (vm, i, OBJECT_MALLOC, 0, 16, args[0], result);
  case BUILTIN_ALIGNED_ALLOC:
    return builtin_alloc (vm, i, OBJECT_MALLOC, 0, args[0], args[1], result);
  case BUILTIN_NEW:
    return builtin_alloc (vm, i, OBJECT_MALLOC, args[2], args[0], args[1], result);
  case BUILTIN_CALLOC:
    return builtin_alloc (vm, i, OBJECT_CALLOC, 0, 16, args[0], result);
  case BUILTIN_FREE:
    return builtin_free (vm, i, args[0], 0);
  case BUILTIN_DELETE:
    return builtin_free (vm, i, args[0], args[1]);
  case BUILTIN_OBJECT_SIZE:
    return builtin_object_size (vm, args[0], result);
  case BUILTIN_ASSERT_FAIL:
    return builtin_assert_fail (vm, args[0]);
  case BUILTIN_TERMINATE:
    return builtin_terminate (vm, args[0]);
  case BUILTIN_ABORT:
    return stop_error (vm, FINDING_ABORT, finding_kind_meaning (FINDING_ABORT));
  case BUILTIN_EXIT:
    return stop_block (vm, BLOCK_EXIT);
  case BUILTIN_ASSUME:
    return args[0] ? true : stop_block (vm, BLOCK_ASSUME);
  case BUILTIN_NONDET:
    return builtin_nondet (vm, i, args[0], args[1]);
  case BUILTIN_SPURIOUS:
    return vm_is_lifted (vm, ASSUMPTION_SPURIOUS_WAKEUPS) ? builtin_nondet (vm, i, 0, false) : true;
  case BUILTIN_LIFTED:
    *result = vm_is_lifted (vm, (Assumption)args[0]);
    return true;
  case BUILTIN_ARGC:
    vm_is_lifted (vm, ASSUMPTION_ARGC_ONE);
    *result = args[0];
    return true;
  case BUILTIN_TIMEOUT:
    return stop_at_choice (vm, i,
                           (Effect){.kind = EFF_NONDET, .size = 1, .expected = 1, .child = 1});
  case BUILTIN_OUTPUT:
    if (vm->options.show_output) builtin_output (vm, args, i->nargs < 16 ? i->nargs : 16);
    return true;
  case BUILTIN_MATH:
    *result = builtin_math (args[0], args[1], args[2]);
    return true;
  case BUILTIN_FLOAT_TEXT:
    *result = builtin_float_text (args[0], args[1], args[2]);
    return true;
  case BUILTIN_YIELD:
    return true;
  case BUILTIN_COUNT:
    break;
  }
  BUG ("builtin");
}
